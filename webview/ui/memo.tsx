import { Component, type ComponentType, type VNode } from 'preact';

/** Draws `Inner` again only when a property is another one than before, by identity or by `same`. */
export function memo<P extends object>(
  Inner: ComponentType<P>,
  same: (a: P, b: P) => boolean = shallowSame,
): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props, next);
    }

    override render(): VNode {
      return <Inner {...this.props} />;
    }
  };
}

function shallowSame(a: object, b: object): boolean {
  const one = Object.entries(a);
  const other = new Map(Object.entries(b));
  return one.length === other.size && one.every(([key, value]) => other.get(key) === value);
}

/** Two lists with the same things in them. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
