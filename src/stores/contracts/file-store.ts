/**
 * After this a file is not given out any more; it is deleted at most one sweep later. Together they keep the promise of
 * one hour.
 */
export const defaultLifetimeMs = 55 * 60_000;
export const defaultSweepMs = 60_000;

/** What is known of a kept file without opening it. */
export interface StoredFacts {
  /** Bytes. */
  readonly length: number;
  /** Strong validator, quotes included. */
  readonly etag: string;
  /** When it was finished, in ms since the epoch. */
  readonly madeAt: number;
}

/** A finished file, open for reading; it can be read to its end even when it is deleted in the meantime. */
export interface StoredFile extends StoredFacts {
  /** Fills `target` from `position`; the number of bytes read, 0 only at the end. */
  read(target: Uint8Array, position: number): Promise<number>;
  /** Must be called once by whoever opened it. */
  close(): Promise<void>;
}

/** A file that is being written. What is written can be read at once, also after it was published or discarded. */
export interface FileDraft {
  /**
   * Appends. After an error nothing more is appended, but what was written before can still be read.
   * @throws StorageFull
   */
  write(bytes: Uint8Array): Promise<void>;
  /** As in {@link StoredFile}, of what is written so far. */
  read(target: Uint8Array, position: number): Promise<number>;
  /**
   * Makes the whole file findable under its key, at once and never in part; replaces an older one.
   * @throws RangeError when not exactly the announced bytes were written
   * @throws StorageFull
   */
  publish(): Promise<void>;
  /** Takes the file's name away; without effect after `publish`. */
  discard(): Promise<void>;
  /** Must be called once; discards what was not published. */
  close(): Promise<void>;
}

/**
 * A bounded place for files that are kept for a short time. Keys match `[a-z0-9-]{1,200}`, so that they are names of files anywhere.
 * After a restart, however sudden, whole files are found again while they are young enough, and nothing else is left.
 */
export interface FileStore {
  /**
   * Starts a file, after making room for all of it by deleting the oldest that nobody reads.
   * @throws StorageFull when there is not enough room even so
   */
  create(key: string, facts: Pick<StoredFacts, 'length' | 'etag'>): Promise<FileDraft>;
  /** Null when there is none, or only one that is too old. */
  open(key: string): Promise<StoredFile | null>;
  /** The same without opening it. */
  facts(key: string): Promise<StoredFacts | null>;
  /** Deletes what is too old. Runs by itself too. */
  sweep(): Promise<void>;
  /** Stops sweeping. Files that are open stay readable. */
  close(): Promise<void>;
}

/** There is no room: the disk's, or the bound that was set. */
export class StorageFull extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFull';
  }
}
