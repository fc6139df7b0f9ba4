import type { FastifyInstance } from 'fastify';
import { isCertainlyLocal } from '../http/visitor/network-address.ts';
import type { ServerDependencies } from '../instance/parts.ts';

/**
 * `/healthz` (alive), `/readyz` (can serve) and `/metrics` (Prometheus, for callers on this machine, unless it has a
 * separate port).
 */
export function healthEndpoints(
  app: FastifyInstance,
  { stopping, obstacle, absent, metrics, metricsElsewhere, trustedProxies }: ServerDependencies,
): void {
  app.get('/healthz', (_, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('alive\n'),
  );

  // Unreachable optional servers are reported, but visitors are not sent elsewhere.
  const ready = () => ['ready', ...absent().map((name) => `without ${name}`)].join(', ');
  app.get('/readyz', (_, reply) => {
    const reason = stopping.aborted ? 'stopping' : obstacle();
    return reply
      .code(reason === null ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain')
      .send(`${reason ?? ready()}\n`);
  });

  app.get('/metrics', async (request, reply) => {
    if (metricsElsewhere || !isCertainlyLocal(request, trustedProxies)) return reply.callNotFound();
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.metrics());
  });
}
