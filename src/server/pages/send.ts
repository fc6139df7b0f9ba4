import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAnswer, PageExchange } from '../pipeline/exchange.ts';
import { acceptedEncoding, compress } from './compression.ts';

const fromGzip = promisify(gunzip);

/** What of an exchange belongs to its answer. */
type Own = Pick<PageExchange, 'answerHeaders' | 'cookies'>;

type KeptForm = 'br' | 'gzip';

/** Whether the client has this form already (RFC 9110, section 13.1.2: weak comparison). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .slice(0, 2000)
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === etag);
}

const etagOf = (tag: string, form: KeptForm | null) => `"${tag}${form === null ? '' : `-${form}`}"`;

/**
 * A browser asks again before it shows a page that it knows: the page may have changed, and the answer is often only
 * "not modified". What is no page is not worth keeping.
 */
function cacheControl({ status, headers }: PageAnswer): string {
  const own = headers['cache-control'];
  if (own !== undefined && !own.includes('s-maxage')) return own;
  return status === 200 ? 'private, no-cache' : 'no-store';
}

const varyOf = (...names: (string | undefined)[]) => [...names, 'Accept-Encoding'].filter(Boolean).join(', ');

/** Headers that a kept page has for everybody, as `writeHead` takes them. Made once for each page and form. */
const keptHeaders = new WeakMap<PageAnswer, Partial<Record<KeptForm, readonly string[]>>>();

function headersOfKept(answer: PageAnswer, tag: string, form: KeptForm, bytes: Buffer): readonly string[] {
  const forms = keptHeaders.get(answer) ?? {};
  const known = forms[form];
  if (known !== undefined) return known;
  const made = [
    ...Object.entries(answer.headers)
      .filter(([name]) => name !== 'vary' && name !== 'cache-control')
      .flat(),
    ...['cache-control', cacheControl(answer), 'etag', etagOf(tag, form)],
    ...['content-encoding', form, 'content-length', String(bytes.length)],
  ];
  keptHeaders.set(answer, { ...forms, [form]: made });
  return made;
}

/**
 * Sends a kept page at once, past everything that other answers need. Only to visitors who take it as it is kept.
 * @param common headers of every answer, as `writeHead` takes them
 * @returns false when this is not such a case, and nothing was sent
 */
export function sendKeptAtOnce(
  answer: PageAnswer,
  { answerHeaders, cookies }: Own,
  request: FastifyRequest,
  reply: FastifyReply,
  common: readonly string[],
): boolean {
  const { encoded } = answer;
  const form = acceptedEncoding(request.headers['accept-encoding']);
  if (encoded === undefined || form === null || request.headers['if-none-match'] !== undefined) return false;
  const bytes = encoded[form];
  const headers = [...common, 'x-request-id', request.id, ...headersOfKept(answer, encoded.tag, form, bytes)];
  let vary = answer.headers.vary;
  for (const name in answerHeaders) {
    const value = answerHeaders[name] ?? '';
    if (name === 'vary') vary = vary === undefined ? value : `${vary}, ${value}`;
    else headers.push(name, value);
  }
  headers.push('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
  for (const cookie of cookies) headers.push('set-cookie', cookie);
  const raw: ServerResponse = reply.hijack().raw;
  raw.writeHead(answer.status, headers as string[]);
  raw.end(request.method === 'HEAD' ? undefined : bytes);
  return true;
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
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
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
  const allCookies = [...(answer.cookies ?? []), ...cookies];
  if (allCookies.length > 0) reply.header('set-cookie', allCookies);
  if (answer.encoded !== undefined) return sendKept(answer.encoded, request, reply);
  const wanted = acceptedEncoding(request.headers['accept-encoding']);
  const { bytes, encoding } = compress(answer.body, wanted);
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}
