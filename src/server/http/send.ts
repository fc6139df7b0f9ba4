import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAnswer } from './answer.ts';
import { acceptedEncoding, type ContentEncoding, compress } from './compression.ts';
import { isMoved, permanently } from './redirect.ts';

const fromGzip = promisify(gunzip);

/** What of an answer is one visitor's own. */
interface Own {
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** `Set-Cookie` lines. */
  readonly cookies: readonly string[];
}

/** Whether a list of tags, or `*`, names a form (RFC 9110, section 8.8.3). Node bounds the length of headers. */
const names = (list: string, etag: string): boolean =>
  list.trim() === '*' || list.split(',').some((one) => one.trim() === etag);

/** Whether the client has this form already (RFC 9110, section 13.1.2: weak comparison). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && names(ifNoneMatch.replace(/\bW\//g, ''), etag);

/** The status for who asks for a form under conditions (RFC 9110, section 13.2.2). */
function conditionalStatus(headers: IncomingHttpHeaders, etag: string): 200 | 304 | 412 {
  const wanted = headers['if-match'];
  if (wanted !== undefined && !names(wanted, etag)) return 412;
  return isKnown(headers['if-none-match'], etag) ? 304 : 200;
}

/** Names content by what it is. */
const tagOf = (body: Buffer): string => hash('sha256', body, 'base64url').slice(0, 22);

const etagOf = (tag: string, form: ContentEncoding) => `"${tag}${form === null ? '' : `-${form}`}"`;

/**
 * A browser asks again before it shows a page that it knows: the page may have changed, and the answer is often only
 * "not modified". What is no page is not worth keeping.
 */
function cacheControl({ status, headers }: PageAnswer): string {
  const own = headers['cache-control'];
  if (own !== undefined && !own.includes('s-maxage')) return own;
  if (isMoved(status)) return permanently;
  return status === 200 ? 'private, no-cache' : 'no-store';
}

const varyOf = (...names: (string | undefined)[]) => [...names, 'Accept-Encoding'].filter(Boolean).join(', ');

/** Sends a kept page in the form that the client takes, without touching its content. */
async function sendKept(
  encoded: NonNullable<PageAnswer['encoded']>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = acceptedEncoding(request.headers['accept-encoding']);
  const etag = etagOf(encoded.tag, form);
  reply.header('etag', etag);
  const status = conditionalStatus(request.headers, etag);
  if (status !== 200) return reply.code(status).send();
  if (form === null) return reply.send(await fromGzip(encoded.gzip));
  return reply.header('content-encoding', form).send(encoded[form]);
}

/** Of an answer that is the same to everybody. */
export const noneOwn: Own = { answerHeaders: {}, cookies: [] };

/** Sends an answer. */
export async function sendAnswer(
  answer: PageAnswer,
  { answerHeaders, cookies }: Own,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply
    .code(answer.status)
    .headers(answer.headers)
    .headers(answerHeaders)
    .header('cache-control', cacheControl(answer))
    .header('vary', varyOf(answer.headers.vary, answerHeaders.vary));
  // What is kept for everybody sets nobody's cookies.
  const allCookies = isMoved(answer.status) ? [] : [...(answer.cookies ?? []), ...cookies];
  if (allCookies.length > 0) reply.header('set-cookie', allCookies);
  if (answer.encoded !== undefined) return sendKept(answer.encoded, request, reply);
  const wanted = acceptedEncoding(request.headers['accept-encoding']);
  const { bytes, encoding } = compress(answer.body, wanted);
  // What everybody may keep can be asked for again.
  if (answer.status === 200 && answer.headers['cache-control']?.startsWith('public') === true) {
    const etag = etagOf(tagOf(answer.body), encoding);
    reply.header('etag', etag);
    const status = conditionalStatus(request.headers, etag);
    if (status !== 200) return reply.code(status).send();
  }
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

/** Sends a file that the server has written, to everybody alike. @param maxAgeS for how long it may be kept */
export function sendText(
  text: string,
  { type, maxAgeS }: { readonly type: string; readonly maxAgeS: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const headers = { 'content-type': type, 'cache-control': `public, max-age=${maxAgeS}` };
  const answer = { status: 200, headers, body: Buffer.from(text) };
  return sendAnswer(answer, noneOwn, request, reply);
}
