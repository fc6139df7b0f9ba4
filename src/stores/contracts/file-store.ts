/**
 * After this a file is not given out any more; it is deleted at most one sweep later. Together they keep the promise of
 * one hour.
 */
export const defaultLifetimeMs = 55 * 60_000;
export const defaultSweepMs = 60_000;

/** The facts about a stored file, readable without opening it. */
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
  /** The caller that opened it must call it once. */
  close(): Promise<void>;
}

/** A file that is being written. What is written can be read at once, also after it was published or discarded. */
export interface FileDraft {
  /** Appends. After an error no more bytes are appended, but earlier ones can still be read. @throws StorageFull */
  write(bytes: Uint8Array): Promise<void>;
  /** Like {@link StoredFile}'s, for the bytes written so far. */
  read(target: Uint8Array, position: number): Promise<number>;
  /**
   * Publishes the whole file under its key, atomically; replaces an older one.
   * @throws RangeError when the byte count differs from the announced one
   * @throws StorageFull
   */
  publish(): Promise<void>;
  /** Takes the file's name away; without effect after `publish`. */
  discard(): Promise<void>;
  /** Must be called once; discards what was not published. */
  close(): Promise<void>;
}

/**
 * A bounded store for short-lived files. Keys match `[a-z0-9-]{1,200}`, valid as file names everywhere. After any
 * restart, complete files are found again while they are young enough; everything else is deleted.
 */
export interface FileStore {
  /**
   * Starts a file, after deleting the oldest unread files to make room for all of it.
   * @throws StorageFull when there is still not enough room
   */
  create(key: string, facts: Pick<StoredFacts, 'length' | 'etag'>): Promise<FileDraft>;
  /** Null when it does not exist, or has expired. */
  open(key: string): Promise<StoredFile | null>;
  /** Reads the facts without opening the file. */
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
