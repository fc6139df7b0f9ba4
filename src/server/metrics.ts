import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import { pagesRoute } from './pages/pages.ts';
import type { ServerParts } from './parts.ts';

/** Counts and times every request by its route (never by its address: that would have no bound) and logs one line for it. */
export function countRequests(app: FastifyInstance, { metrics, logger }: ServerParts): void {
  // Counted here and handed over when somebody reads them: that is cheaper than naming all labels each time.
  const counts = new Map<string, { labels: Record<string, string | number>; count: number }>();
  new Counter({
    name: 'clipferry_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { labels, count } of counts.values()) this.inc(labels, count);
    },
  });
  const count = (route: string, method: string, status: number) => {
    const key = `${method} ${status} ${route}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { labels: { route, method, status }, count: 1 });
    else known.count += 1;
  };
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
    count(route, method, reply.statusCode);
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
