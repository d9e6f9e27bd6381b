/** Where a file request leads, once the walls have judged it. */
export type Place = DiskPlace | VirtualPlace;

/** A file on this disk. */
export interface DiskPlace {
  readonly kind: 'disk';
  /** As the editor knows it: normalised, links of the workspace folder itself kept. For people, too. */
  readonly path: string;
  /**
   * Where it really is: every link followed, also where the end does not exist yet. What is opened must lie exactly here;
   * whoever opens it checks that no link came in between.
   */
  readonly real: string;
}

/** A file of a workspace folder that is not on this disk. */
export interface VirtualPlace {
  readonly kind: 'virtual';
  readonly path: string;
}

export type FileUse = 'read' | 'write';
