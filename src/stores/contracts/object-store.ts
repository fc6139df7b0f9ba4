import type { Readable } from 'node:stream';

/** What an object says of itself besides its bytes. */
export interface ObjectDescription {
  readonly contentType: string;
  /** Names in lower case, printable ASCII values. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What is known of an object without reading it. */
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
 * A place for named bytes that several instances share. Keys match `[a-z0-9./-]{1,300}`. All calls are bounded in time,
 * and fail at once while the store is away.
 */
export interface ObjectStore {
  /** As operators call it. */
  readonly name: string;
  readonly isAway: boolean;
  /** Calls the listener each time the store is back. */
  onReturn(listener: () => void): void;
  /** Writes an object, or replaces it. @throws ObjectStoreUnavailable, ObjectStoreRefused, as all calls below */
  put(key: string, bytes: Uint8Array, description: ObjectDescription): Promise<void>;
  /** Null when there is none. */
  facts(key: string): Promise<ObjectFacts | null>;
  /**
   * Opens an object for reading; null when there is none.
   * @param from the first byte wanted, of the content with this `etag`; ObjectStoreRefused 412 when it has changed
   */
  open(key: string, from?: { readonly start: number; readonly etag: string }): Promise<OpenObject | null>;
  /** Without effect when there is none. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ObjectEntry>;
  /** Begins an object in parts. */
  beginUpload(key: string, description: ObjectDescription): Promise<ObjectUpload>;
  /**
   * Sends a part, at least {@link leastPartBytes} long when it is not the last.
   * @param number from 1 on
   * @returns the part's tag, for {@link ObjectStore.completeUpload}
   */
  putPart(upload: ObjectUpload, number: number, bytes: Uint8Array): Promise<string>;
  /** Makes the parts one object. */
  completeUpload(upload: ObjectUpload, tags: readonly string[]): Promise<void>;
  /** Without effect when there is none. */
  abortUpload(upload: ObjectUpload): Promise<void>;
  /** Uploads that were begun and not ended; none from a store that cannot list them. */
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
  /** As in HTTP. */
  readonly status: number;
  /** As the store names the reason: `AccessDenied`. */
  readonly code: string;

  /** @param store its name */
  constructor(store: string, status: number, code: string) {
    super(`${store} answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}
