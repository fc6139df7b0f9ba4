import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createAvailability } from './availability.ts';
import { S3Refused } from './s3-failures.ts';
import { createS3Requests, type S3Place, type S3Request } from './s3-requests.ts';
import { elementsOf, textOf } from './xml.ts';

/** For what somebody waits for: the head of an answer, in ms. */
const readMs = 2000;
/** For all of an answer that is a list or a word, in ms. */
const answerMs = 4000;
/** For so many bytes on a slow line, in ms. */
const writeMs = (bytes: number) => 10_000 + Math.ceil(bytes / 1000);

export interface S3Options extends S3Place {
  /** Told once when the store went away, with the reason in words, and once when it is back. */
  readonly onAway: (reason: string) => void;
  readonly onReturn: () => void;
}

interface S3Object {
  /** Lower-case. */
  readonly headers: IncomingHttpHeaders;
  /** Of this very content, quotes included. */
  readonly etag: string;
}

export interface S3OpenObject extends S3Object {
  /** Destroy it when it is not read to its end. */
  readonly body: Readable;
}

interface S3Entry {
  readonly key: string;
  /** Seconds by the store's own clock. */
  readonly ageS: number;
}

interface S3Upload extends S3Entry {
  readonly id: string;
}

/** A bucket of an S3-compatible store. All calls are bounded in time, and fail at once while the store is away. */
export interface S3Client {
  readonly isAway: boolean;
  /** Called each time the store is back. */
  onReturn(listener: () => void): void;
  /** Whether the bucket can be used. @throws S3Unavailable, S3Refused */
  check(): Promise<void>;
  put(key: string, bytes: Uint8Array, headers: Readonly<Record<string, string>>): Promise<void>;
  /** Null when there is none. */
  facts(key: string): Promise<S3Object | null>;
  /**
   * Opens an object for reading; null when there is none.
   * @param from the first byte wanted, of the content that has this `etag`; S3Refused 412 when it is another by now
   */
  open(key: string, from?: { readonly start: number; readonly etag: string }): Promise<S3OpenObject | null>;
  /** Without effect when there is none. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<S3Entry>;
  /** Begins an object in parts. @returns the upload's id */
  beginUpload(key: string, headers: Readonly<Record<string, string>>): Promise<string>;
  /** @param number from 1 on @returns the part's tag, for {@link S3Client.completeUpload} */
  putPart(upload: S3UploadName, number: number, bytes: Uint8Array): Promise<string>;
  /** Makes the parts one object. */
  completeUpload(upload: S3UploadName, tags: readonly string[]): Promise<void>;
  /** Without effect when there is none. */
  abortUpload(upload: S3UploadName): Promise<void>;
  /** Uploads that were begun and not ended; none from a store that cannot tell. */
  uploads(prefix: string): Promise<readonly S3Upload[]>;
  /** Cuts off what still runs. */
  close(): Promise<void>;
}

export interface S3UploadName {
  readonly key: string;
  readonly id: string;
}

/** A store that would go on for ever does not keep an instance busy for ever. */
const maxPages = 10_000;
const checkRequest: S3Request = { method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } };

/** Opens the way to a bucket; nothing is asked before the first call. */
export function createS3Client({ onAway, onReturn, ...place }: S3Options): S3Client {
  const requests = createS3Requests(place);
  const availability = createAvailability({
    onAway,
    onReturn,
    probe: () => requests.text(checkRequest, readMs),
  });

  const text = (what: S3Request, limitMs = answerMs) => availability.run(() => requests.text(what, limitMs));

  async function opened(what: S3Request): Promise<S3OpenObject | null> {
    const { statusCode, headers, body } = await availability.run(() => requests.send(what, readMs));
    if (statusCode === 200 || statusCode === 206) return { headers, etag: String(headers.etag ?? ''), body };
    body.destroy();
    if (statusCode === 404) return null;
    throw new S3Refused(statusCode, 'for an object');
  }

  const inUpload = ({ key, id }: S3UploadName) => ({ key, query: { uploadId: id } });

  return {
    get isAway() {
      return availability.isAway;
    },

    onReturn: (listener) => availability.onReturn(listener),

    async check() {
      await text(checkRequest, readMs);
    },

    async put(key, bytes, headers) {
      await text({ method: 'PUT', key, headers, body: bytes }, writeMs(bytes.length));
    },

    async facts(key) {
      const object = await opened({ method: 'HEAD', key });
      // There is nothing in it, and the connection serves for more.
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

    async *list(prefix) {
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
    },

    async beginUpload(key, headers) {
      const { xml } = await text({ method: 'POST', key, query: { uploads: '' }, headers });
      const id = textOf(xml, 'UploadId');
      if (id === null) throw new S3Refused(200, 'an upload without an id');
      return id;
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
        if (!(error instanceof S3Refused && error.status === 404)) throw error;
      });
    },

    async uploads(prefix) {
      // One page is enough for what dead instances leave; the next sweep sees the next one.
      const request: S3Request = { method: 'GET', query: { uploads: '', prefix } };
      const { xml, headers } = await text(request).catch((error: unknown) => {
        if (error instanceof S3Refused && error.status === 501) return { xml: '', headers: {} };
        throw error;
      });
      return elementsOf(xml, 'Upload').map((entry) => ({
        key: textOf(entry, 'Key') ?? '',
        id: textOf(entry, 'UploadId') ?? '',
        ageS: ageOf(textOf(entry, 'Initiated'), headers),
      }));
    },

    async close() {
      availability.close();
      await requests.close();
    },
  };
}

/** Both times are the store's, so that no clock of ours decides what is old. */
function ageOf(time: string | null, { date }: IncomingHttpHeaders): number {
  const age = (Date.parse(String(date)) - Date.parse(time ?? '')) / 1000;
  return Number.isFinite(age) ? age : 0;
}
