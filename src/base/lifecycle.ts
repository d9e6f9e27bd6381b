/** Something that holds a resource until it is told to let go. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables and releases them in reverse order. Adding to a disposed one releases at once. */
export class Disposables implements Disposable {
  private readonly owned: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(part: T): T {
    if (this.disposed) part.dispose();
    else this.owned.push(part);
    return part;
  }

  dispose(): void {
    this.disposed = true;
    for (const part of this.owned.splice(0).reverse()) part.dispose();
  }
}
