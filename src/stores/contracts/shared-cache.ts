/** The texts to drop: those with the listed keys, those whose key has a suffix, or all. */
export type DroppedEntries =
  | { readonly keys: readonly string[] }
  | { readonly suffixes: readonly string[] }
  | 'all';

/** A text, with a label that can be read without it. */
export interface LabelledEntry {
  readonly text: Buffer;
  readonly label: string;
}

/**
 * Texts by key, cached for several processes and limited in bytes: old texts make room for new ones. No call fails:
 * without the server nothing is found and nothing is cached.
 */
export interface SharedCache {
  /**
   * The number of drops that this process has seen; null while some may be missing. A text that was begun in one
   * generation is not stored in another: it may be outdated.
   */
  readonly generation: number | null;
  get(key: string): Promise<LabelledEntry | null>;
  /** @param since {@link generation} from before the text was made */
  keep(key: string, kept: LabelledEntry, lifeMs: number, since: number | null): Promise<void>;
  /** The label of each text, by key. */
  labels(): Promise<ReadonlyMap<string, string>>;
  /**
   * Drops texts for all processes. If the server is unreachable, all texts are dropped before any is read again.
   * @returns their number
   */
  drop(dropped: DroppedEntries): Promise<number>;
  /** Calls back with every drop of another process; with `all` when some may have been missed. */
  onDrop(listener: (dropped: DroppedEntries) => void): void;
}
