import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import type { ServerParts } from './parts.ts';

/** Counts and times every request by its route (never by its address: that would have no bound) and logs one line for it. */
export function countRequests(app: FastifyInstance, { metrics }: ServerParts): void {
  const requests = new Counter({
    name: 'clipferry_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
  });
  const seconds = new Histogram({
    name: 'clipferry_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [metrics],
  });
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none';
    const elapsedS = reply.elapsedTime / 1000;
    requests.inc({ route, method: request.method, status: reply.statusCode });
    seconds.observe({ route }, elapsedS);
    // Pages are logged when the site's route steps say so.
    const { exchange, method, url } = request;
    if (exchange === null || exchange.facts !== null) {
      const at = url.indexOf('?');
      const line = {
        method,
        path: at < 0 ? url : url.slice(0, at),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        visitor: request.visitor.key,
      };
      request.log.info(exchange === null ? line : { ...line, ...exchange.facts }, 'request');
    }
    next();
  });
}
