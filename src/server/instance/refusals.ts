import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import { defaultLocale } from '../../i18n/languages.ts';
import { commonHeaders } from '../http/responses/security-headers.ts';
import { statuses } from '../http/responses/statuses.ts';
import { errorResponse } from './errors.ts';

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
 * Responds to unsupported methods of every endpoint and file: these share the address and must not reach the pages.
 * Call it before any route is added.
 * @returns a function to call after the last route
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
        // Before any body is read.
        scope.route({ method: others, url, onRequest: refuse, handler: refuse });
      }
      done();
    });
  };
}

/**
 * Refuses requests without a host (RFC 9112, section 3.2) or with an unsupported expectation (RFC 9110, section
 * 10.1.1). Node would respond by itself, without the headers that all responses have.
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

/** Failures for requests that Node's parser cannot read. */
const brokenKeys: Readonly<Record<string, FailureKey>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Responds to bytes that are no HTTP request with the usual JSON error, and closes the connection. The visitor's
 * language is unknown then.
 */
export function refuseBroken(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const failure = new Failure(brokenKeys[error.code ?? ''] ?? 'request_invalid', { cause: error });
  const status = statuses[failure.key];
  const body = JSON.stringify(errorResponse(failure, defaultLocale));
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
