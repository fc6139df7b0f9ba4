import { createHash } from 'node:crypto';

export interface StoredObject {
  readonly bytes: Buffer;
  /** Quotes included. */
  readonly etag: string;
  /** ms since the epoch */
  readonly modifiedAt: number;
  /** `content-type` and `x-amz-meta-…`, lower-case. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Upload {
  readonly key: string;
  readonly startedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
}

/** The minimum size of every part but the last. */
export const leastPartBytes = 5 * 2 ** 20;

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes);
export const etagOf = (bytes: Uint8Array) => `"${md5(bytes).digest('hex')}"`;

/** The contents of a bucket. A finished object replaces an older one atomically, and is never changed. */
export class Bucket {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  readonly #now: () => number;
  #started = 0;

  /** @param now ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  put(key: string, bytes: Buffer, headers: StoredObject['headers'], etag = etagOf(bytes)): StoredObject {
    const object = { bytes, etag, modifiedAt: this.#now(), headers };
    this.objects.set(key, object);
    return object;
  }

  /** @returns the upload's id */
  begin(key: string, headers: StoredObject['headers']): string {
    this.#started += 1;
    const id = `upload-${this.#started}-${md5(Buffer.from(key)).digest('base64url')}`;
    this.uploads.set(id, { key, headers, startedAt: this.#now(), parts: new Map() });
    return id;
  }

  /** Joins the named parts, in their order. @returns the object, or the code of the error */
  complete(
    id: string,
    wanted: readonly { readonly number: number; readonly etag: string }[],
  ): StoredObject | string {
    const upload = this.uploads.get(id);
    if (upload === undefined) return 'NoSuchUpload';
    const isAscending = wanted.every(({ number }, at) => at === 0 || number > (wanted[at - 1]?.number ?? 0));
    if (!isAscending) return 'InvalidPartOrder';
    const parts: Buffer[] = [];
    for (const { number, etag } of wanted) {
      const part = upload.parts.get(number);
      if (part === undefined || etagOf(part) !== etag) return 'InvalidPart';
      parts.push(part);
    }
    if (parts.length === 0) return 'MalformedXML';
    if (parts.slice(0, -1).some(({ length }) => length < leastPartBytes)) return 'EntityTooSmall';
    this.uploads.delete(id);
    const digests = Buffer.concat(parts.map((part) => md5(part).digest()));
    const etag = `${etagOf(digests).slice(0, -1)}-${parts.length}"`;
    return this.put(upload.key, Buffer.concat(parts), upload.headers, etag);
  }

  /** Keys in their order, beginning after one of them. */
  keys(prefix: string, after: string): string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  }
}
