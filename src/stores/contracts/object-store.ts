import type { Readable } from 'node:stream';

/** An object's metadata. */
export interface ObjectDescription {
  readonly contentType: string;
  /** Names in lower case, printable ASCII values. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The facts about an object, readable without its content. */
export interface ObjectFacts {
  /** Bytes. */
  readonly length: number;
  /** Strong validator of this very content, quotes included. */
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object that is being read. */
export interface OpenObject extends ObjectFacts {
  /** Destroy it when it is not read to its end. */
  readonly body: Readable;
}

interface ObjectEntry {
  readonly key: string;
  /** Seconds by the store's own clock. */
  readonly ageS: number;
}

/** An object that is being written in parts. */
export interface ObjectUpload {
  readonly key: string;
  readonly id: string;
}

/**
 * A store of named bytes shared by several instances. Keys match `[a-z0-9./-]{1,300}`. All calls are limited in time,
 * and fail at once while the store is unreachable.
 */
export interface ObjectStore {
  /** The name that operators know. */
  readonly name: string;
  readonly isAway: boolean;
  /** Calls the listener each time the store is back. */
  onReturn(listener: () => void): void;
  /** Writes an object, or replaces it. @throws ObjectStoreUnavailable, ObjectStoreRefused, as all calls below */
  put(key: string, bytes: Uint8Array, description: ObjectDescription): Promise<void>;
  /** Null when it does not exist. */
  facts(key: string): Promise<ObjectFacts | null>;
  /**
   * Opens an object for reading; null when it does not exist.
   * @param from the first requested byte, of the content with this `etag`; ObjectStoreRefused 412 when it has changed
   */
  open(key: string, from?: { readonly start: number; readonly etag: string }): Promise<OpenObject | null>;
  /** No effect when it does not exist. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ObjectEntry>;
  /** Begins an object in parts. */
  beginUpload(key: string, description: ObjectDescription): Promise<ObjectUpload>;
  /**
   * Sends a part, of at least {@link leastPartBytes} unless it is the last.
   * @param number from 1 on
   * @returns the part's tag, for {@link ObjectStore.completeUpload}
   */
  putPart(upload: ObjectUpload, number: number, bytes: Uint8Array): Promise<string>;
  /** Makes the parts one object. */
  completeUpload(upload: ObjectUpload, tags: readonly string[]): Promise<void>;
  /** No effect when it does not exist. */
  abortUpload(upload: ObjectUpload): Promise<void>;
  /** Unfinished uploads; empty from a store that cannot list them. */
  uploads(prefix: string): Promise<readonly (ObjectEntry & ObjectUpload)[]>;
  /** Cuts off what still runs. */
  close(): Promise<void>;
}

/** The least that S3 allows for a part that is not the last. */
export const leastPartBytes = 5 * 2 ** 20;

/** The store does not answer, or only that it cannot now. */
export class ObjectStoreUnavailable extends Error {
  override readonly name = 'ObjectStoreUnavailable';
}

/** The store refuses a call. */
export class ObjectStoreRefused extends Error {
  override readonly name = 'ObjectStoreRefused';
  /** The HTTP status. */
  readonly status: number;
  /** The store's code for the reason: `AccessDenied`. */
  readonly code: string;

  /** @param store its name */
  constructor(store: string, status: number, code: string) {
    super(`${store} answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}
