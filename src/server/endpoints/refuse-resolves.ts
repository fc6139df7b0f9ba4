import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '../../downloader/failures.ts';
import { isLocale, negotiateLocale } from '../../i18n/languages.ts';
import { errorAnswer } from '../errors.ts';
import type { RecordAnswer } from '../metrics.ts';
import { commonHeaderList, inertPolicy } from '../pages/security-headers.ts';
import type { ServerParts } from '../parts.ts';

const path = '/api/resolve';
const retryAfterS = 2;
const overloaded = new Failure('overloaded', { retryAfterS });

/**
 * Refuses to resolve links while more posts are being read than the process can, before anything is read of the
 * request: refusing is then cheap enough to leave the time for those who were taken.
 * @returns answers a request in front of Fastify; false when Fastify has to
 */
export function refuseResolves(
  { forwarded, nameVisitor, readingLimit }: ServerParts,
  record: RecordAnswer,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const { method = '', url = '', headers } = request;
    if (method !== 'POST' || !readingLimit.isFull || !url.startsWith(path)) return false;
    const [asked, query] = url.split('?', 2);
    if (asked !== path) return false;
    const since = performance.now();
    const id = crypto.randomUUID();
    const named = new URLSearchParams(query).get('locale') ?? '';
    const locale = isLocale(named) ? named : negotiateLocale(headers['accept-language']);
    const body = JSON.stringify(errorAnswer(overloaded, locale));
    response.writeHead(overloaded.status, [
      ...commonHeaderList(forwarded.isSecure(request)),
      ...['content-security-policy', inertPolicy, 'x-request-id', id],
      ...[
        'content-type',
        'application/json; charset=utf-8',
        'content-length',
        String(Buffer.byteLength(body)),
      ],
      ...['cache-control', 'no-store', 'vary', 'Accept, Accept-Language', 'retry-after', String(retryAfterS)],
    ]);
    response.end(body);
    const asker = { visitor: nameVisitor(forwarded.address(request)) };
    const elapsedMs = performance.now() - since;
    record({ id, method, route: path, path, status: overloaded.status, elapsedMs, asker, facts: {} });
    return true;
  };
}
