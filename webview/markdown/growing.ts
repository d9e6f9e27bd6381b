/** A block that grows item by item, so that only its last item is read again. */
export interface OpenBlock {
  readonly root: HTMLElement;
  /** Characters of the block's source that it has drawn when it is made. */
  readonly consumed: number;
  /**
   * Draws what it can of `text`.
   * @returns What it has not drawn for good, and whether the block has ended there.
   */
  take(text: string, final: boolean): { readonly text: string; readonly closed: boolean };
}
