import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';
import { countsOf } from './counts.ts';
import { pagesRoute } from './pages/pages.ts';
import type { ServerParts } from './parts.ts';

/** Counts and times every request by its route (never by its address: that would have no bound) and logs one line for it. */
export function countRequests(app: FastifyInstance, { metrics, logger }: ServerParts): void {
  const count = countsOf(metrics, 'clipferry_requests_total', 'Requests by route, method and status.', [
    'route',
    'method',
    'status',
  ]);
  const seconds = new Histogram({
    name: 'clipferry_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [metrics],
  });
  app.addHook('onResponse', (request, reply, next) => {
    const { exchange, method, url } = request;
    const route = exchange === null ? (request.routeOptions.url ?? 'none') : pagesRoute;
    const elapsedMs = reply.elapsedTime;
    count(route, method, String(reply.statusCode));
    seconds.observe({ route }, elapsedMs / 1000);
    // Pages are logged when the site's route steps say so.
    if (exchange === null || exchange.facts !== null) {
      const at = url.indexOf('?');
      const line = {
        reqId: request.id,
        method,
        path: at < 0 ? url : url.slice(0, at),
        status: reply.statusCode,
        ms: Math.round(elapsedMs),
        visitor: request.visitor.key,
      };
      logger.info(exchange === null ? line : { ...line, ...exchange.facts }, 'request');
    }
    next();
  });
}
