import type { FastifyInstance } from 'fastify';
import { isCertainlyLocal } from '../caller.ts';
import type { ServerParts } from '../parts.ts';

/**
 * `/healthz` (alive), `/readyz` (can serve) and `/metrics` (Prometheus, for callers on this machine, unless it has a
 * port of its own).
 */
export function healthEndpoints(
  app: FastifyInstance,
  { stopping, metrics, metricsElsewhere, forwarded }: ServerParts,
): void {
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
    if (metricsElsewhere || !isCertainlyLocal(request.raw, forwarded)) return reply.callNotFound();
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.metrics());
  });
}
