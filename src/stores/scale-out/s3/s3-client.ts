import type { IncomingHttpHeaders } from 'node:http';
import {
  type ObjectDescription,
  type ObjectStore,
  ObjectStoreRefused,
  type ObjectUpload,
  type OpenObject,
} from '../../contracts/object-store.ts';
import { createAvailability } from './availability.ts';
import {
  createS3Requests,
  elementsOf,
  type S3Place,
  type S3Request,
  type S3Requests,
  textOf,
  writeMs,
} from './s3-requests.ts';

const metadataPrefix = 'x-amz-meta-';

/** The headers that say what an object is. */
function headersOf({ contentType, metadata = {} }: ObjectDescription): Record<string, string> {
  const own = Object.entries(metadata).map(([name, value]) => [metadataPrefix + name, value]);
  return { 'content-type': contentType, ...Object.fromEntries(own) };
}

/** The opposite: what an object was said to be. */
const metadataOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), String(value)]] : [],
    ),
  );

/**
 * Seconds since a time of the store's, 0 where that is no time. The present time is the store's, too, so that no clock of
 * ours decides what is old.
 */
function ageOf(time: string | null, { date }: IncomingHttpHeaders): number {
  const age = (Date.parse(String(date)) - Date.parse(time ?? '')) / 1000;
  return Number.isFinite(age) ? age : 0;
}

type Uploads = Pick<ObjectStore, 'beginUpload' | 'putPart' | 'completeUpload' | 'abortUpload' | 'uploads'>;

const inUpload = ({ key, id }: ObjectUpload) => ({ key, query: { uploadId: id } });

/**
 * Objects that are written in parts.
 * @param text asks the store, for at most a time in ms
 */
function createUploads(text: (what: S3Request, limitMs?: number) => ReturnType<S3Requests['text']>): Uploads {
  return {
    async beginUpload(key, description) {
      const headers = headersOf(description);
      const { xml } = await text({ method: 'POST', key, query: { uploads: '' }, headers });
      const id = textOf(xml, 'UploadId');
      if (id === null) throw new ObjectStoreRefused('S3', 200, 'an upload without an id');
      return { key, id };
    },

    async putPart({ key, id }, number, bytes) {
      const query = { partNumber: String(number), uploadId: id };
      const { headers } = await text({ method: 'PUT', key, query, body: bytes }, writeMs(bytes.length));
      return String(headers.etag ?? '');
    },

    async completeUpload(upload, tags) {
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      await text({ method: 'POST', ...inUpload(upload), body });
    },

    async abortUpload(upload) {
      await text({ method: 'DELETE', ...inUpload(upload) }).catch((error: unknown) => {
        if (!(error instanceof ObjectStoreRefused && error.status === 404)) throw error;
      });
    },

    async uploads(prefix) {
      // One page is enough for the leftovers of dead instances; the next sweep sees the next one.
      const request: S3Request = { method: 'GET', query: { uploads: '', prefix } };
      const { xml, headers } = await text(request).catch((error: unknown) => {
        if (error instanceof ObjectStoreRefused && error.status === 501) return { xml: '', headers: {} };
        throw error;
      });
      return elementsOf(xml, 'Upload').map((entry) => ({
        key: textOf(entry, 'Key') ?? '',
        id: textOf(entry, 'UploadId') ?? '',
        ageS: ageOf(textOf(entry, 'Initiated'), headers),
      }));
    },
  };
}

/** A store that would go on for ever does not keep an instance busy for ever. */
const maxPages = 10_000;

/** The objects whose keys begin with a prefix, page by page (ListObjectsV2). @param text asks the store */
async function* listObjects(
  text: (what: S3Request) => ReturnType<S3Requests['text']>,
  prefix: string,
): ReturnType<ObjectStore['list']> {
  let token: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query: Record<string, string> = { 'list-type': '2', prefix };
    if (token !== null) query['continuation-token'] = token;
    const { xml, headers } = await text({ method: 'GET', query });
    for (const entry of elementsOf(xml, 'Contents'))
      yield { key: textOf(entry, 'Key') ?? '', ageS: ageOf(textOf(entry, 'LastModified'), headers) };
    token = textOf(xml, 'NextContinuationToken');
    if (textOf(xml, 'IsTruncated') !== 'true' || token === null) return;
  }
}

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
  const availability = createAvailability(() => requests.text(checkRequest, readMs), onAway, onReturn);

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
