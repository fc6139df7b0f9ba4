import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { ServerParts } from '../parts.ts';

/** True for a caller on this machine that no proxy speaks for: a proxy's own address is a loopback one too. */
function isLocal(request: FastifyRequest): boolean {
  const { headers, socket } = request;
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip'];
  const address = socket.remoteAddress ?? '';
  return forwarded === undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** `/healthz` (alive), `/readyz` (can serve) and `/metrics` (Prometheus, for callers on this machine). */
export function healthEndpoints(app: FastifyInstance, { stopping, metrics }: ServerParts): void {
  app.get('/healthz', (_, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('alive\n'),
  );

  app.get('/readyz', (_, reply) =>
    reply
      .code(stopping.aborted ? 503 : 200)
      .header('cache-control', 'no-store')
      .type('text/plain')
      .send(stopping.aborted ? 'stopping\n' : 'ready\n'),
  );

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) return reply.callNotFound();
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.metrics());
  });
}
