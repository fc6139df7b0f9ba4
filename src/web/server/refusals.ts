import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import { defaultLocale } from '../../i18n/languages.ts';
import { commonHeaders } from '../http/answers/security-headers.ts';
import { statuses } from '../http/answers/statuses.ts';
import { errorAnswer } from './errors.ts';

/** Answers OPTIONS with the methods that an address takes, and refuses all others (RFC 9110, 9.3.7 and 15.5.6). */
export function refuseMethod(
  allowed: readonly string[],
  { method }: Pick<FastifyRequest, 'method'>,
  reply: FastifyReply,
): FastifyReply {
  reply.header('allow', allowed.join(', '));
  if (method === 'OPTIONS') return reply.code(204).send();
  return reply.send(new Failure('method_not_allowed'));
}

/**
 * Gives every endpoint and file an answer to the methods that it does not take: they are found under the same address,
 * and must not be taken for a page. To be called before there are any routes.
 * @returns what has to be called behind the last of them
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const taken = new Map<string, string[]>();
  let isWhole = false;
  app.addHook('onRoute', ({ url, method }) => {
    if (isWhole) return;
    taken.set(url, [...(taken.get(url) ?? []), ...[method].flat()]);
  });
  return () => {
    app.register((scope, _, done) => {
      isWhole = true;
      for (const [url, methods] of taken) {
        const refuse = (request: FastifyRequest, reply: FastifyReply) => {
          refuseMethod([...new Set(methods)].sort(), request, reply);
        };
        const others = scope.supportedMethods.filter((method) => !methods.includes(method));
        // Before anything of a body is read.
        scope.route({ method: others, url, onRequest: refuse, handler: refuse });
      }
      done();
    });
  };
}

/**
 * Refuses requests that name no host (RFC 9112, section 3.2) or expect what nobody gives (RFC 9110, section 10.1.1).
 * Node would answer both by itself, without the headers that all answers have.
 */
export function refuseAsNodeWould(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers, raw }, reply) => {
    if (headers.host !== undefined || raw.httpVersionMinor === 0) return;
    void reply.header('connection', 'close');
    throw new Failure('request_invalid', { note: 'no host' });
  });
  app.server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { ...commonHeaders(false), 'cache-control': 'no-store' }).end();
  });
}

/** What Node's parser says of requests that it cannot read. */
const brokenKeys: Readonly<Record<string, FailureKey>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Answers bytes that are no request of HTTP, in the form in which every error is answered, and closes the connection.
 * Nobody knows the visitor's language then.
 */
export function refuseBroken(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const failure = new Failure(brokenKeys[error.code ?? ''] ?? 'request_invalid', { cause: error });
  const status = statuses[failure.key];
  const body = JSON.stringify(errorAnswer(failure, defaultLocale));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(commonHeaders(false)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}
