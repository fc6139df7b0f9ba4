import { type ObjectStore, ObjectStoreRefused, type ObjectUpload } from '../../contracts/object-store.ts';
import { ageOf, headersOf } from './s3-headers.ts';
import { type S3Request, type S3Requests, writeMs } from './s3-requests.ts';
import { elementsOf, textOf } from './xml.ts';

type Uploads = Pick<ObjectStore, 'beginUpload' | 'putPart' | 'completeUpload' | 'abortUpload' | 'uploads'>;

const inUpload = ({ key, id }: ObjectUpload) => ({ key, query: { uploadId: id } });

/**
 * Objects that are written in parts.
 * @param text asks the store, for at most a time in ms
 */
export function createUploads(
  text: (what: S3Request, limitMs?: number) => ReturnType<S3Requests['text']>,
): Uploads {
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
      // One page is enough for what dead instances leave; the next sweep sees the next one.
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
