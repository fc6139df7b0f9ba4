import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Failure } from '../../downloader/failures.ts';
import type { RecordAnswer } from '../metrics.ts';
import type { ServerParts } from '../parts.ts';
import type { Handle } from '../pipeline/exchange.ts';
import { inOrder } from '../pipeline/order.ts';
import { countView } from './article-views.ts';
import { type PageUrl, readPageUrl } from './page-url.ts';
import { pagesRoute } from './pages.ts';
import { RequestExchange } from './request-exchange.ts';
import { sendAtOnce } from './send.ts';
import { stepsOf } from './steps.ts';

/** A request for a page, on its way through the route steps. */
export interface PageRequest {
  readonly exchange: RequestExchange;
  readonly coming: ReturnType<Handle>;
}

/** Where requests for pages set out, each of them once. */
export interface PageRequests {
  /**
   * Answers a request in front of Fastify, whose routes, hooks and replies take longer than finding a kept page.
   * @returns false when Fastify has to go on with it
   */
  answerEarly(request: IncomingMessage, response: ServerResponse): boolean;
  /** Names a request. */
  idOf(request: IncomingMessage): string;
  /**
   * A request that Fastify's routes have led to a page. It sets out, unless it has already.
   * @param sent what a form sent, or why it could not be read
   */
  of(request: IncomingMessage, response: ServerResponse, id: string, sent?: Buffer | Failure): PageRequest;
  /** A request for something of another route that is not there: a page says so. */
  ofNothing(request: IncomingMessage, response: ServerResponse, id: string): PageRequest;
}

/** Longer URLs are not remembered, so that what is remembered stays small whatever is asked. */
const longestRemembered = 200;
const mostRemembered = 2000;

/** @param record told of requests that were answered early */
export function createPageRequests(
  parts: ServerParts,
  record: RecordAnswer,
  limits: Parameters<typeof stepsOf>[1],
): PageRequests {
  const { configuration, stopping, views } = parts;
  const way = inOrder(configuration.serving.steps, stepsOf(parts, limits));
  /** URLs that lead to a page when they are asked for with GET: routes look at nothing else, and do not change. */
  const known = new LRUCache<string, PageUrl>({ max: mostRemembered });
  /** Requests that have set out and that Fastify goes on with. */
  const underWay = new WeakMap<IncomingMessage, PageRequest>();

  function setOut(exchange: RequestExchange): PageRequest {
    try {
      return { exchange, coming: way(exchange) };
    } catch (thrown) {
      return { exchange, coming: Promise.reject(thrown) };
    }
  }

  return {
    answerEarly(request, response) {
      if (request.method !== 'GET' || stopping.aborted) return false;
      const url = known.get(request.url ?? '/');
      if (url === undefined) return false;
      const since = performance.now();
      const page = setOut(new RequestExchange(request, response, crypto.randomUUID(), url, parts));
      const { exchange, coming } = page;
      if (coming instanceof Promise || !sendAtOnce(coming, exchange, response)) {
        underWay.set(request, page);
        return false;
      }
      countView(exchange, coming, configuration, views);
      // At once: the answer was handed over whole, and nothing is left to learn until it has gone.
      const elapsedMs = performance.now() - since;
      const { id, method, path, facts } = exchange;
      const { statusCode: status } = response;
      record({ id, method, route: pagesRoute, path, status, elapsedMs, asker: exchange, facts });
      return true;
    },
    idOf: (request) => underWay.get(request)?.exchange.id ?? crypto.randomUUID(),
    of(request, response, id, sent) {
      const early = underWay.get(request);
      if (early !== undefined) return early;
      const { method, url = '/' } = request;
      const read = readPageUrl(url, configuration);
      if (method === 'GET' && url.length <= longestRemembered) known.set(url, read);
      return setOut(new RequestExchange(request, response, id, read, parts, sent));
    },
    ofNothing: (request, response, id) =>
      setOut(
        new RequestExchange(request, response, id, readPageUrl(request.url ?? '/', configuration), parts),
      ),
  };
}
