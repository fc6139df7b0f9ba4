import { parseCookie } from 'cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { namesOfPages } from './browser/redact.ts';

/** The parts of a request that may contain a visitor's own values. */
export type MonitoredRequest = Pick<FastifyRequest, 'headers' | 'ip' | 'url' | 'body'>;

const maxTextLength = 16_384;
const maxDepth = 4;

const queryValues = (address: string): string[] => [
  ...new URLSearchParams(address.slice(0, maxTextLength).split('?')[1] ?? '').values(),
];

/** Yields every text of a JSON or form body; the reader may stop at any time. */
function* textsOf(body: unknown, depth = 0): Generator<string> {
  if (typeof body === 'string') yield body.slice(0, maxTextLength);
  else if (body instanceof Uint8Array) {
    const text = Buffer.from(body.subarray(0, maxTextLength)).toString();
    // A multipart form has its values on separate lines.
    if (text.includes('\r\n')) yield* text.split('\r\n');
    else yield* new URLSearchParams(text).values();
  } else if (Array.isArray(body) && depth < maxDepth)
    for (const value of body) yield* textsOf(value, depth + 1);
  else if (typeof body === 'object' && body !== null && depth < maxDepth)
    for (const name in body) yield* textsOf((body as Record<string, unknown>)[name], depth + 1);
}

/** The values that a visitor has sent with a request: a report must not contain them. */
export function* secretsOf({ headers, ip, url, body }: MonitoredRequest): Generator<string> {
  const cookies = parseCookie((headers.cookie ?? '').slice(0, maxTextLength));
  for (const [name, value = ''] of Object.entries(cookies)) if (!namesOfPages.has(name)) yield value;
  yield ip;
  yield* queryValues(url);
  yield* queryValues(headers.referer ?? '');
  yield* textsOf(body);
}

/** Notes each request while it is answered. */
export function noteRequests(app: FastifyInstance, requests: Map<string, MonitoredRequest>): void {
  app.addHook('onRequest', (request, _reply, next) => {
    requests.set(request.id, request);
    next();
  });
  app.addHook('onResponse', ({ id }, _reply, next) => {
    requests.delete(id);
    next();
  });
}
