import { parseCookie } from 'cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { namesOfPages } from '../../site/visitors/monitoring/redact.ts';

/** What of a request may hold something of its visitor's own. */
export type Asked = Pick<FastifyRequest, 'headers' | 'ip' | 'url' | 'body'>;

const maxTextLength = 16_384;
const maxDepth = 4;

const queryValues = (address: string): string[] => [
  ...new URLSearchParams(address.slice(0, maxTextLength).split('?')[1] ?? '').values(),
];

/** Every text in what was sent, as JSON or as a form. */
function textsOf(body: unknown, depth = 0): string[] {
  if (typeof body === 'string') return [body.slice(0, maxTextLength)];
  if (body instanceof Uint8Array) {
    const text = Buffer.from(body.subarray(0, maxTextLength)).toString();
    // A form in parts has its values in lines of their own.
    return text.includes('\r\n') ? text.split('\r\n') : [...new URLSearchParams(text).values()];
  }
  if (typeof body !== 'object' || body === null || depth >= maxDepth) return [];
  return Object.values(body).flatMap((value) => textsOf(value, depth + 1));
}

/** What a visitor has sent with a request: it must not stand in a report. */
export function secretsOf({ headers, ip, url, body }: Asked): string[] {
  const cookies = parseCookie((headers.cookie ?? '').slice(0, maxTextLength));
  return [
    ...Object.entries(cookies).flatMap(([name, value]) => (namesOfPages.has(name) ? [] : (value ?? []))),
    ip,
    ...queryValues(url),
    ...queryValues(headers.referer ?? ''),
    ...textsOf(body),
  ];
}

/** Notes each request while it is answered. */
export function noteRequests(app: FastifyInstance, requests: Map<string, Asked>): void {
  app.addHook('onRequest', (request, _reply, next) => {
    requests.set(request.id, request);
    next();
  });
  app.addHook('onResponse', ({ id }, _reply, next) => {
    requests.delete(id);
    next();
  });
}
