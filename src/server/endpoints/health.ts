import type { FastifyInstance } from 'fastify';
import { isCertainlyLocal } from '../http/local-caller.ts';
import type { ServerParts } from '../parts.ts';

/**
 * `/healthz` (alive), `/readyz` (can serve) and `/metrics` (Prometheus, for callers on this machine, unless it has a
 * port of its own).
 */
export function healthEndpoints(
  app: FastifyInstance,
  { stopping, isDatabaseAway, metrics, metricsElsewhere, trustedProxies }: ServerParts,
): void {
  app.get('/healthz', (_, reply) =>
    reply.header('cache-control', 'no-store').type('text/plain').send('alive\n'),
  );

  const state = () => {
    if (stopping.aborted) return 'stopping';
    return isDatabaseAway() ? 'the database does not answer' : 'ready';
  };
  app.get('/readyz', (_, reply) => {
    const said = state();
    return reply
      .code(said === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain')
      .send(`${said}\n`);
  });

  app.get('/metrics', async (request, reply) => {
    if (metricsElsewhere || !isCertainlyLocal(request, trustedProxies)) return reply.callNotFound();
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.metrics());
  });
}
