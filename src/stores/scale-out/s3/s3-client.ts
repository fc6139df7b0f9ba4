import { type ObjectStore, ObjectStoreRefused, type OpenObject } from '../../contracts/object-store.ts';
import { createAvailability } from './availability.ts';
import { headersOf, metadataOf } from './s3-headers.ts';
import { listObjects } from './s3-list.ts';
import { createS3Requests, type S3Place, type S3Request, writeMs } from './s3-requests.ts';
import { createUploads } from './s3-uploads.ts';

/** For the head of a response that a caller waits for, in ms. */
const readMs = 2000;
/** For a whole response with a list or a status, in ms. */
const responseMs = 4000;

export interface S3Options extends S3Place {
  /** Called once when the store became unreachable, with the reason in words, and once when it is back. */
  readonly onAway: (reason: string) => void;
  readonly onReturn: () => void;
}

/** A bucket of an S3-compatible store. */
export interface S3Client extends ObjectStore {
  /** Whether the bucket can be used. @throws ObjectStoreUnavailable, ObjectStoreRefused */
  check(): Promise<void>;
}

const checkRequest: S3Request = { method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } };

/** Opens a bucket; nothing is requested before the first call. */
export function createS3Client({ onAway, onReturn, ...place }: S3Options): S3Client {
  const requests = createS3Requests(place);
  const availability = createAvailability({
    onAway,
    onReturn,
    probe: () => requests.text(checkRequest, readMs),
  });

  const text = (what: S3Request, limitMs = responseMs) =>
    availability.run(() => requests.text(what, limitMs));

  async function opened(what: S3Request): Promise<OpenObject | null> {
    const { statusCode, headers, body } = await availability.run(() => requests.send(what, readMs));
    if (statusCode === 200 || statusCode === 206) {
      const length = Number(headers['content-length'] ?? Number.NaN);
      return { length, etag: String(headers.etag ?? ''), metadata: metadataOf(headers), body };
    }
    body.destroy();
    if (statusCode === 404) return null;
    throw new ObjectStoreRefused('S3', statusCode, 'for an object');
  }

  return {
    name: 'S3',

    get isAway() {
      return availability.isAway;
    },

    onReturn: (listener) => availability.onReturn(listener),

    async check() {
      await text(checkRequest, readMs);
    },

    async put(key, bytes, description) {
      const headers = headersOf(description);
      await text({ method: 'PUT', key, headers, body: bytes }, writeMs(bytes.length));
    },

    async facts(key) {
      const object = await opened({ method: 'HEAD', key });
      // The body is empty; reading it frees the connection for reuse.
      object?.body.resume();
      return object;
    },

    open: (key, from) =>
      opened({
        ...{ method: 'GET', key },
        ...(from && { headers: { range: `bytes=${from.start}-`, 'if-match': from.etag } }),
      }),

    async delete(key) {
      await text({ method: 'DELETE', key });
    },

    list: (prefix) => listObjects(text, prefix),

    ...createUploads(text),

    async close() {
      availability.close();
      await requests.close();
    },
  };
}
