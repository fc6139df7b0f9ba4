import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAnswer, PageExchange } from '../pipeline/exchange.ts';
import { isMoved, permanently } from '../pipeline/redirect.ts';
import { acceptedEncoding, type ContentEncoding, compress } from './compression.ts';
import { commonHeaderList } from './security-headers.ts';

/** In bytes: what fits into one packet need not be compressed. */
const mostWords = 1300;

const fromGzip = promisify(gunzip);

/** What of an exchange belongs to its answer. */
type Own = Pick<PageExchange, 'answerHeaders' | 'cookies'>;

type CompressedForm = NonNullable<ContentEncoding>;

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

/** What is sent of a kept page in one form, to everybody alike: headers as `writeHead` takes them. */
interface KeptForm {
  readonly etag: string;
  readonly bytes: Buffer;
  readonly headers: readonly string[];
  /** For those who have it already. */
  readonly headersUnmodified: readonly string[];
}

const keptForms = new WeakMap<Buffer, KeptForm>();

/** Made once for each form of each page. */
function keptForm(answer: PageAnswer, tag: string, form: CompressedForm, bytes: Buffer): KeptForm {
  const known = keptForms.get(bytes);
  if (known !== undefined) return known;
  const etag = etagOf(tag, form);
  const own = Object.entries(answer.headers).filter(([name]) => name !== 'vary' && name !== 'cache-control');
  const headersUnmodified = [...own.flat(), 'cache-control', cacheControl(answer), 'etag', etag];
  const ofBytes = ['content-encoding', form, 'content-length', String(bytes.length)];
  const made = { etag, bytes, headersUnmodified, headers: [...headersUnmodified, ...ofBytes] };
  keptForms.set(bytes, made);
  return made;
}

/** What is sent of an answer of a few words, made for whoever asks; null when it is no such answer. */
function fewWords(answer: PageAnswer): readonly string[] | null {
  const { body, headers, encoded, cookies } = answer;
  if (encoded !== undefined || cookies !== undefined || body.length > mostWords) return null;
  const own = Object.entries(headers).filter(([name]) => name !== 'vary' && name !== 'cache-control');
  return [...own.flat(), 'cache-control', cacheControl(answer), 'content-length', String(body.length)];
}

/**
 * Sends an answer at once, past everything that others need: a kept page, to visitors who take it as it is kept, or a
 * few words.
 * @returns false when this is not such a case, and nothing was sent
 */
export function sendAtOnce(answer: PageAnswer, exchange: PageExchange, response: ServerResponse): boolean {
  const { encoded } = answer;
  if (encoded === undefined) {
    const headers = fewWords(answer);
    if (headers === null) return false;
    write(answer.status, headers, answer.body, answer, exchange, response);
    return true;
  }
  const form = acceptedEncoding(exchange.headers['accept-encoding']);
  if (form === null || exchange.headers['if-match'] !== undefined) return false;
  const kept = keptForm(answer, encoded.tag, form, encoded[form]);
  if (isKnown(exchange.headers['if-none-match'], kept.etag))
    write(304, kept.headersUnmodified, undefined, answer, exchange, response);
  else write(answer.status, kept.headers, kept.bytes, answer, exchange, response);
  return true;
}

function write(
  status: number,
  own: readonly string[],
  body: Buffer | undefined,
  { headers }: PageAnswer,
  { id, isSecure, answerHeaders, cookies }: PageExchange,
  response: ServerResponse,
): void {
  const sent = [...commonHeaderList(isSecure), 'x-request-id', id, ...own];
  let { vary } = headers;
  for (const name in answerHeaders) {
    const value = answerHeaders[name] ?? '';
    if (name === 'vary') vary = vary === undefined ? value : `${vary}, ${value}`;
    else sent.push(name, value);
  }
  sent.push('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  // What is kept for everybody sets nobody's cookies.
  if (!isMoved(status)) for (const cookie of cookies) sent.push('set-cookie', cookie);
  response.writeHead(status, sent);
  response.end(body);
}

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
  return sendAnswer(answer, { answerHeaders: {}, cookies: [] }, request, reply);
}
