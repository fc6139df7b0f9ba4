import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Bucket, etagOf } from './bucket.ts';
import { elements, escaped, sendXml } from './xml.ts';

/** A refusal with a code of the protocol. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface Question {
  readonly bucket: Bucket;
  /** Entries of one page of a list. */
  readonly pageSize: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/**
 * Executes a signed request and responds.
 * @returns its kind, for the counts
 * @throws Refusal
 */
export function answer(question: Question): string {
  const { bucket, request, key, query } = question;
  const method = request.method ?? '';
  if (key === '') {
    if (method === 'GET' && query.get('list-type') === '2') return list(question);
    if (method === 'GET' && query.has('uploads')) return listUploads(question);
    if (method === 'HEAD') return head(question);
    throw new Refusal('NotImplemented');
  }
  if (method === 'POST' && query.has('uploads')) return begin(question);
  if (method === 'POST' && query.has('uploadId')) return complete(question);
  if (method === 'PUT' && query.has('partNumber')) return putPart(question);
  if (method === 'DELETE' && query.has('uploadId')) return abort(question);
  if ([...query.keys()].some((word) => word !== 'x-id')) throw new Refusal('NotImplemented');
  if (method === 'PUT') return put(question);
  if (method === 'GET' || method === 'HEAD') return get(question);
  if (method !== 'DELETE') throw new Refusal('NotImplemented');
  bucket.objects.delete(key);
  question.response.writeHead(204).end();
  return 'DELETE object';
}

function head({ response }: Question): string {
  response.writeHead(200).end();
  return 'HEAD bucket';
}

function put({ bucket, request, response, key, body }: Question): string {
  const { etag } = bucket.put(key, body, keptHeaders(request));
  response.writeHead(200, { etag }).end();
  return 'PUT object';
}

function get({ bucket, request, response, key }: Question): string {
  const object = bucket.objects.get(key);
  if (object === undefined) throw new Refusal('NoSuchKey');
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== object.etag) throw new Refusal('PreconditionFailed');
  const { bytes } = object;
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(first);
  const end = last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1);
  if (first !== '' && start >= bytes.length) throw new Refusal('InvalidRange');
  const body = bytes.subarray(start, end);
  response.writeHead(first === '' ? 200 : 206, {
    ...object.headers,
    etag: object.etag,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': body.length,
    ...(first !== '' && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  return `${request.method} object`;
}

function begin({ bucket, request, response, key }: Question): string {
  const id = bucket.begin(key, keptHeaders(request));
  sendXml(response, 200, 'InitiateMultipartUploadResult', [
    ['Key', escaped(key)],
    ['UploadId', escaped(id)],
  ]);
  return 'POST uploads';
}

function putPart({ bucket, response, key, query, body }: Question): string {
  const upload = bucket.uploads.get(query.get('uploadId') ?? '');
  const number = Number(query.get('partNumber'));
  if (upload === undefined || upload.key !== key) throw new Refusal('NoSuchUpload');
  if (!Number.isInteger(number) || number < 1 || number > 10_000) throw new Refusal('InvalidArgument');
  upload.parts.set(number, body);
  response.writeHead(200, { etag: etagOf(body) }).end();
  return 'PUT part';
}

function complete({ bucket, response, query, body }: Question): string {
  const parts = [
    ...body.toString().matchAll(/<Part>\s*<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(.*?)<\/ETag>\s*<\/Part>/g),
  ].map(([, number, etag = '']) => ({ number: Number(number), etag: etag.replaceAll('&quot;', '"') }));
  const done = bucket.complete(query.get('uploadId') ?? '', parts);
  if (typeof done === 'string') throw new Refusal(done);
  sendXml(response, 200, 'CompleteMultipartUploadResult', [['ETag', escaped(done.etag)]]);
  return 'POST complete';
}

function abort({ bucket, response, query }: Question): string {
  if (!bucket.uploads.delete(query.get('uploadId') ?? '')) throw new Refusal('NoSuchUpload');
  response.writeHead(204).end();
  return 'DELETE upload';
}

function list({ bucket, response, query, pageSize }: Question): string {
  const prefix = query.get('prefix') ?? '';
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const keys = bucket.keys(prefix, after);
  const page = keys.slice(0, pageSize);
  const more = keys.length > page.length;
  const contents = page.map((key): [string, string] => {
    const { bytes, etag, modifiedAt } = bucket.objects.get(key) ?? { bytes: '', etag: '', modifiedAt: 0 };
    return [
      'Contents',
      elements([
        ['Key', escaped(key)],
        ['LastModified', new Date(modifiedAt).toISOString()],
        ['ETag', escaped(etag)],
        ['Size', String(bytes.length)],
      ]),
    ];
  });
  const token = Buffer.from(page.at(-1) ?? '').toString('base64');
  sendXml(response, 200, 'ListBucketResult', [
    ['Prefix', escaped(prefix)],
    ['IsTruncated', String(more)],
    ...(more ? [['NextContinuationToken', escaped(token)] as const] : []),
    ...contents,
  ]);
  return 'GET list';
}

function listUploads({ bucket, response, query, pageSize }: Question): string {
  const prefix = query.get('prefix') ?? '';
  const uploads = [...bucket.uploads]
    .filter(([, { key }]) => key.startsWith(prefix))
    .map(([id, { key, startedAt }]): [string, string] => [
      'Upload',
      elements([
        ['Key', escaped(key)],
        ['UploadId', escaped(id)],
        ['Initiated', new Date(startedAt).toISOString()],
      ]),
    ]);
  const result: [string, string][] = [['IsTruncated', 'false'], ...uploads.slice(0, pageSize)];
  sendXml(response, 200, 'ListMultipartUploadsResult', result);
  return 'GET uploads';
}

function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name, String(value)]),
  );
}
