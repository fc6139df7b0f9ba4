import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import { pagesRoute } from './pages/pages.ts';
import type { ServerParts } from './parts.ts';
import type { Visitor } from './visitor.ts';

/** A request that has been answered. */
interface Answered {
  readonly id: string;
  readonly method: string;
  /** As the metrics name it. */
  readonly route: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly elapsedMs: number;
  /** Whose visitor is named when a line is logged. */
  readonly asker: { readonly visitor: Visitor };
  /** What the line says besides; null when none is wanted. */
  readonly facts: Readonly<Record<string, string | number>> | null;
}

/** Writes down a request that has been answered. */
export type RecordAnswer = (answered: Answered) => void;

/**
 * Counts and times requests by their route (never by their address: that would have no bound) and logs one line for
 * each.
 */
export function requestRecord({
  metrics,
  logRequest,
}: Pick<ServerParts, 'metrics' | 'logRequest'>): RecordAnswer {
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
  return ({ id, method, route, path, status, elapsedMs, asker, facts }) => {
    requests.inc({ route, method, status });
    seconds.observe({ route }, elapsedMs / 1000);
    if (facts === null) return;
    const ms = Math.round(elapsedMs);
    const shown = withoutTicket(path);
    logRequest({ reqId: id, method, path: shown, status, ms, visitor: asker.visitor.key, ...facts });
  };
}

const ticketPath = /(\/api\/(?:files|pictures)\/)[^/]+/gi;

/**
 * A path as it may be written down. A ticket still opens its file for hours, so that whoever reads the log could have
 * it, and tells which visitor asked for which post.
 */
const withoutTicket = (path: string): string => path.replace(ticketPath, '$1:ticket');

const noFacts = {};

const factsOf = ({ workKind }: FastifyRequest) => (workKind === null ? noFacts : { work: workKind });

/** Has every request that Fastify answers written down. */
export function recordRequests(app: FastifyInstance, record: RecordAnswer): void {
  app.decorateRequest('workKind', null);
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime: elapsedMs }, next) => {
    const { id, exchange, method, url } = request;
    const route = exchange === null ? (request.routeOptions.url ?? 'none') : pagesRoute;
    // However the address was spelled.
    const [path = ''] = route.includes(':ticket') ? [route] : url.split('?', 1);
    // Pages are logged when the site's route steps say so.
    const facts = exchange === null ? factsOf(request) : exchange.facts;
    record({ id, method, route, path, status, elapsedMs, asker: request, facts });
    next();
  });
}
