import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageAnswer } from '../pipeline/exchange.ts';
import { acceptedEncoding, compress } from './compression.ts';

const fromGzip = promisify(gunzip);

/** Whether the client has this form already (RFC 9110, section 13.1.2: weak comparison). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .slice(0, 2000)
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === etag);
}

/**
 * A browser asks again before it shows a page that it knows: the page may have changed, and the answer is often only
 * "not modified". What is no page is not worth keeping.
 */
const usualCacheControl = (status: number) => (status === 200 ? 'private, no-cache' : 'no-store');

function sendHeaders(
  { status, headers, cookies = [] }: PageAnswer,
  own: readonly string[],
  reply: FastifyReply,
) {
  reply.code(status).headers(headers);
  if (headers['cache-control'] === undefined || headers['cache-control'].includes('s-maxage'))
    reply.header('cache-control', usualCacheControl(status));
  reply.header('vary', headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`);
  if (own.length > 0 || cookies.length > 0) reply.header('set-cookie', [...cookies, ...own]);
}

/** Sends a kept page in the form that the client takes, without touching its content. */
async function sendKept(
  encoded: NonNullable<PageAnswer['encoded']>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const etag = `"${encoded.tag}${encoding === null ? '' : `-${encoding}`}"`;
  reply.header('etag', etag);
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding === null) return reply.send(await fromGzip(encoded.gzip));
  return reply.header('content-encoding', encoding).send(encoded[encoding]);
}

/**
 * Sends an answer.
 * @param cookies of this visitor alone, besides those that the page itself sets
 */
export async function sendAnswer(
  answer: PageAnswer,
  cookies: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  sendHeaders(answer, cookies, reply);
  if (answer.encoded !== undefined) return sendKept(answer.encoded, request, reply);
  const wanted = acceptedEncoding(request.headers['accept-encoding']);
  const { bytes, encoding } = await compress(answer.body, wanted);
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.send(bytes);
}
