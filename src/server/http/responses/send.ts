import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isMoved, type PageResponse, permanently } from './response.ts';

/** Below this the headers outweigh the saving. */
const leastBytes = 800;

type ContentEncoding = 'br' | 'gzip' | null;

/** An encoding that is named with a weight above 0. */
const accepts = (name: string) =>
  new RegExp(`(?:^|[\\s,])${name}(?![\\w-])(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$))`);
const acceptsBrotli = accepts('br');
const namesGzip = accepts('gzip');

/** Whether a request accepts gzip, whatever it prefers. */
const acceptsGzip = (acceptEncoding = ''): boolean => namesGzip.test(acceptEncoding);

/**
 * The best encoding that a request accepts (RFC 9110, section 12.5.3); a weight of 0 forbids one.
 */
export function acceptedEncoding(acceptEncoding = ''): ContentEncoding {
  if (acceptsBrotli.test(acceptEncoding)) return 'br';
  return acceptsGzip(acceptEncoding) ? 'gzip' : null;
}

/**
 * Compresses a rendered page with settings for one use: a third of the time of better ones for 5 % more bytes. It is
 * synchronous, since passing it to another thread takes longer.
 */
export function compress(
  bytes: Buffer,
  wanted: ContentEncoding,
): { bytes: Buffer; encoding: ContentEncoding } {
  if (wanted === null || bytes.length < leastBytes) return { bytes, encoding: null };
  if (wanted === 'gzip') return { bytes: gzipSync(bytes, { level: 2 }), encoding: wanted };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 2,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: 16,
  };
  return { bytes: brotliCompressSync(bytes, { params }), encoding: wanted };
}

/** The parts of a response that belong to one visitor. */
export interface Own {
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** `Set-Cookie` lines. */
  readonly cookies: readonly string[];
  /** Seconds for which a proxy or CDN in front may store the response for everybody; 0 when it may not. */
  readonly sharedS: number;
}

/** Whether a list of tags, or `*`, names a form (RFC 9110, section 8.8.3). Node bounds the length of headers. */
const names = (list: string, etag: string): boolean =>
  list.trim() === '*' || list.split(',').some((one) => one.trim() === etag);

/** Whether the client has this form already (RFC 9110, section 13.1.2: weak comparison). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && names(ifNoneMatch.replace(/\bW\//g, ''), etag);

/** The status of a conditional request for a representation (RFC 9110, section 13.2.2). */
function conditionalStatus(status: number, headers: IncomingHttpHeaders, etag: string): number {
  const wanted = headers['if-match'];
  if (wanted !== undefined && !names(wanted, etag)) return 412;
  return isKnown(headers['if-none-match'], etag) ? 304 : status;
}

/** Names content by what it is. */
export const tagOf = (body: Buffer): string => hash('sha256', body, 'base64url').slice(0, 22);

const etagOf = (tag: string, form: ContentEncoding) => `"${tag}${form === null ? '' : `-${form}`}"`;

/**
 * Browsers revalidate a known page before they show it: it may have changed, and the response is often only "not
 * modified". Responses other than pages are not worth storing.
 */
function cacheControl({ status, headers }: Omit<PageResponse, 'body'>, sharedS: number): string {
  if (sharedS > 0) return `public, max-age=0, s-maxage=${sharedS}, stale-while-revalidate=60`;
  const own = headers['cache-control'];
  if (own !== undefined && !own.includes('s-maxage')) return own;
  if (isMoved(status)) return permanently;
  return status === 200 ? 'private, no-cache' : 'no-store';
}

const varyOf = (...names: (string | undefined)[]) => [...names, 'Accept-Encoding'].filter(Boolean).join(', ');

/** For a response that is the same for all visitors. */
export const noneOwn: Own = { responseHeaders: {}, cookies: [], sharedS: 0 };

/** The representation of a response's body that the client accepts. */
interface Form {
  /** A stream is made only where it is sent. */
  readonly bytes: Buffer | (() => Readable);
  readonly encoding: ContentEncoding;
  readonly etag: string | null;
}

function cachedRepresentation(
  { br, gzip, tag }: NonNullable<PageResponse['encoded']>,
  wanted: ContentEncoding,
): Form {
  const etag = etagOf(tag, wanted);
  if (wanted === null) return { bytes: gunzipSync(gzip), encoding: null, etag };
  return { bytes: wanted === 'br' ? br : gzip, encoding: wanted, etag };
}

function ownForm({ status, headers, body }: PageResponse, wanted: ContentEncoding): Form {
  const { bytes, encoding } = compress(body, wanted);
  // Publicly cacheable responses can be revalidated.
  const isPublic = status === 200 && headers['cache-control']?.startsWith('public') === true;
  return { bytes, encoding, etag: isPublic ? etagOf(tagOf(body), encoding) : null };
}

/** Sends a response. */
export function sendResponse(
  response: PageResponse,
  own: Own,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const wanted = acceptedEncoding(request.headers['accept-encoding']);
  const form =
    response.encoded === undefined
      ? ownForm(response, wanted)
      : cachedRepresentation(response.encoded, wanted);
  return sendForm(form, response, own, request, reply);
}

function sendForm(
  { bytes, encoding, etag }: Form,
  response: Omit<PageResponse, 'body'>,
  { responseHeaders, cookies, sharedS }: Own,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply
    .code(etag === null ? response.status : conditionalStatus(response.status, request.headers, etag))
    .headers(response.headers)
    .headers(responseHeaders)
    .header('cache-control', cacheControl(response, sharedS))
    .header('vary', varyOf(response.headers.vary, responseHeaders.vary));
  if (etag !== null) reply.header('etag', etag);
  // A publicly cached response sets no visitor's cookies.
  const isForAll = isMoved(response.status) || sharedS > 0;
  const allCookies = isForAll ? [] : [...(response.cookies ?? []), ...cookies];
  if (allCookies.length > 0) reply.header('set-cookie', allCookies);
  if (reply.statusCode === 304 || reply.statusCode === 412) return reply.send();
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(typeof bytes === 'function' ? bytes() : bytes);
}

/** A text with its encoded representations, so that none is made twice while the text is cached. */
export interface SharedText {
  /** About what it takes with its forms, in bytes. */
  readonly size: number;
  form(wanted: ContentEncoding): Form;
}

/** Prepares a text to be sent to all visitors. */
export function sharedText(text: string): SharedText {
  const body = Buffer.from(text);
  const forms = new Map<ContentEncoding, Form>();
  let tag: string | undefined;
  return {
    size: 2 * body.length,
    form(wanted) {
      const known = forms.get(wanted);
      if (known !== undefined) return known;
      tag ??= tagOf(body);
      const { bytes, encoding } = compress(body, wanted);
      const form = { bytes, encoding, etag: etagOf(tag, encoding) };
      forms.set(wanted, form);
      return form;
    },
  };
}

/** How a file written by the server is sent. */
interface FileFacts {
  readonly type: string;
  /** Seconds for which it may be stored. */
  readonly maxAgeS: number;
}

const asFile = ({ type, maxAgeS }: FileFacts) => ({
  status: 200,
  headers: { 'content-type': type, 'cache-control': `public, max-age=${maxAgeS}` },
});

/** Sends a file written by the server, the same to all visitors. */
export function sendText(
  text: SharedText,
  facts: FileFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const form = text.form(acceptedEncoding(request.headers['accept-encoding']));
  return sendForm(form, asFile(facts), noneOwn, request, reply);
}

/**
 * Sends a file that is too long to be compressed on demand, and is cached in one encoding.
 * @param zipped compressed with gzip; it is decompressed while sending to clients that do not accept gzip
 */
export function sendZipped(
  { zipped, tag }: { readonly zipped: Buffer; readonly tag: string },
  facts: FileFacts,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const encoding = acceptsGzip(request.headers['accept-encoding']) ? 'gzip' : null;
  const bytes = encoding === null ? () => Readable.from([zipped]).pipe(createGunzip()) : zipped;
  return sendForm({ bytes, encoding, etag: etagOf(tag, encoding) }, asFile(facts), noneOwn, request, reply);
}
