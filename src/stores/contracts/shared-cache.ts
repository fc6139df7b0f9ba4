/** Which texts are dropped: those with a key of a list, those whose key ends so, or all. */
export type DroppedEntries =
  | { readonly keys: readonly string[] }
  | { readonly suffixes: readonly string[] }
  | 'all';

/** A text and what is to be known of it without reading it. */
export interface LabelledEntry {
  readonly text: Buffer;
  readonly label: string;
}

/**
 * Texts by key that several processes keep in common for a while, bounded by their bytes: old ones make room for
 * new ones. No call fails: without its server nothing is found and nothing is kept.
 */
export interface SharedCache {
  /**
   * The number of drops that this process has heard of; null while it cannot know of all of them. A text that was begun
   * in one generation is not kept in another: it may be outdated.
   */
  readonly generation: number | null;
  get(key: string): Promise<LabelledEntry | null>;
  /** @param since {@link generation} from before the text was made */
  keep(key: string, kept: LabelledEntry, lifeMs: number, since: number | null): Promise<void>;
  /** The label of each text, by key. */
  labels(): Promise<ReadonlyMap<string, string>>;
  /**
   * Drops texts for all processes. Where the server is away, all of them are dropped before any is read again.
   * @returns how many there were
   */
  drop(dropped: DroppedEntries): Promise<number>;
  /** Told of every drop of another process; of all texts when some may not have been heard of. */
  onDrop(listener: (dropped: DroppedEntries) => void): void;
}
