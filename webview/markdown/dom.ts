type Attributes = Readonly<Record<string, string>>;

/** Makes an element. Text becomes text nodes: nothing here reads HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A codicon; its meaning stands in words beside it, or in `label`. */
export function icon(id: string, label?: string): HTMLElement {
  const spoken: Attributes =
    label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label };
  return element('i', { class: `codicon codicon-${id}`, ...spoken });
}

/**
 * Makes `old` look like `fresh` while keeping the nodes that are alike, so that a selection, a scroll position and a
 * screen reader's place in a growing block survive. Takes nodes out of `fresh`.
 */
export function morphChildren(
  parent: Node,
  old: readonly ChildNode[],
  fresh: readonly ChildNode[],
): readonly ChildNode[] {
  const after = old.at(-1)?.nextSibling ?? null;
  const result = fresh.map((node, index) => {
    const now = old[index];
    if (now !== undefined && morph(now, node)) return now;
    if (now === undefined) parent.insertBefore(node, after);
    else now.replaceWith(node);
    return node;
  });
  for (const left of old.slice(fresh.length)) left.remove();
  return result;
}

function morph(old: ChildNode, fresh: ChildNode): boolean {
  if (old instanceof Text && fresh instanceof Text) {
    morphText(old, fresh.data);
    return true;
  }
  if (!(old instanceof Element && fresh instanceof Element) || !sameElement(old, fresh))
    return false;
  morphChildren(old, [...old.childNodes], [...fresh.childNodes]);
  return true;
}

function morphText(node: Text, text: string): void {
  if (node.data === text) return;
  if (text.startsWith(node.data)) node.appendData(text.slice(node.length));
  else node.data = text;
}

function sameElement(old: Element, fresh: Element): boolean {
  return (
    old.tagName === fresh.tagName &&
    old.attributes.length === fresh.attributes.length &&
    [...fresh.attributes].every(({ name, value }) => old.getAttribute(name) === value)
  );
}
