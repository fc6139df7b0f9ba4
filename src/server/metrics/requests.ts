import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import { causesOf, isOfPlatform, isOwnRefusal } from '../../failures/failures.ts';
import { pathWithoutPosts, withoutPosts } from '../../process/without-posts.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { pagesRoute } from '../pipeline/pages.ts';

const ticketPath = /(\/api\/(?:files|pictures)\/)[^/]+/gi;

/**
 * A path that is safe to log. A ticket opens its file for hours, so a reader of the log could use it, and would learn
 * which visitor requested which post.
 */
const safePath = (path: string): string => pathWithoutPosts(path.replace(ticketPath, '$1:ticket'));

/** By the first digit of a status. */
const statusClasses: readonly (string | undefined)[] = [undefined, '1xx', '2xx', '3xx', '4xx', '5xx'];

/**
 * Adds a response to the sums by class of status, and to those of links: a failed one only where its visitor counts. What
 * a limit of this site refuses, and a visitor's mistake, say nothing about how well links are resolved.
 */
async function sumUp(
  request: FastifyRequest,
  { statusCode: status, raw }: FastifyReply,
  { tally, counts }: Pick<ServerDependencies, 'tally' | 'counts'>,
): Promise<void> {
  const { failure, routeOptions } = request;
  const isRefused = failure !== null && isOwnRefusal(failure.key);
  const isFailed = status >= 500 && !isRefused;
  if (status >= 500 && isRefused) tally.add('answer', 'refused');
  else if (isFailed && failure !== null && isOfPlatform(failure.key)) tally.add('answer', 'platform');
  else if (!isFailed || (await counts('answers', request, 'failed')))
    tally.add('answer', statusClasses[Math.floor(status / 100)] ?? 'other');
  const isAnswered = status < 300 && raw.writableFinished;
  if (routeOptions.url !== '/api/resolve' || isRefused || !(isFailed || isAnswered)) return;
  tally.add('link', 'link', isFailed ? 'failed' : 'succeeded');
  await counts('links', request, isFailed ? 'failed' : 'succeeded');
}

/** Further fields of a request's log line; null when it has no line: pages are logged by a route step. */
const factsOf = ({ pageContext, workKind }: FastifyRequest) =>
  pageContext === null ? workKind !== null && { work: workKind } : pageContext.facts;

/** Why a request was not answered as it was meant, also which limit has refused it. */
function reasonOf({ failure }: FastifyRequest): { key?: string; note?: string } {
  if (failure === null) return {};
  const note = causesOf(failure);
  return { key: failure.key, ...(note !== '' && { note: withoutPosts(note) }) };
}

/** Counts and times requests by route (never by address, which is unbounded) and logs one line for each. */
export function recordRequests(
  app: FastifyInstance,
  parts: Pick<ServerDependencies, 'metrics' | 'logRequest' | 'tally' | 'counts'>,
): void {
  const { metrics, logRequest } = parts;
  const requests = new Counter({
    name: 'clipferry_requests_total',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [metrics],
  });
  const failed = new Counter({
    name: 'clipferry_request_failures_total',
    help: 'Requests that were not answered as they were meant, by the key of the failure.',
    labelNames: ['key'],
    registers: [metrics],
  });
  const seconds = new Histogram({
    name: 'clipferry_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [metrics],
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime: elapsedMs } = reply;
    const { id: reqId, pageContext, method, url, visitor } = request;
    const route = pageContext === null ? (request.routeOptions.url ?? 'none') : pagesRoute;
    requests.inc({ route, method, status });
    seconds.observe({ route }, elapsedMs / 1000);
    if (request.failure !== null) failed.inc({ key: request.failure.key });
    const facts = factsOf(request);
    if (facts !== null) {
      // However the address was spelled.
      const [path = ''] = route.includes(':ticket') ? [route] : url.split('?', 1);
      const ms = Math.round(elapsedMs);
      logRequest({
        reqId,
        method,
        path: safePath(path),
        status,
        ms,
        visitor: visitor.key,
        ...facts,
        ...reasonOf(request),
      });
    }
    await sumUp(request, reply, parts);
  });
}
