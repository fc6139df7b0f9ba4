import { createHash, timingSafeEqual } from 'node:crypto';
import { type PageResponse, shortResponse } from '../../http/responses/response.ts';
import { inertPolicy } from '../../http/responses/security-headers.ts';
import type { CacheOperations } from '../../page-cache/page-cache.ts';
import { xml } from '../../site-files/sitemap-xml.ts';

/** The action of each address; its result is a number of entries or a list of lines. */
const addresses: Readonly<
  Record<string, (on: CacheOperations, query: URLSearchParams) => Promise<number | readonly string[]>>
> = {
  '/clear-cache': (on, query) => on.delete('pages', query.getAll('key')),
  '/cache-keys': (on) => on.keys('pages'),
  '/reset-cache': (on) => on.reset(),
  '/del-keys': (on, query) => on.delete('pages', listed(query.get('keys'))),
  '/del-keys-by-suffix': (on, query) => on.deleteBySuffix(query.getAll('key').filter(Boolean)),
  '/clear-request-cache': (on, query) => on.delete('requests', query.getAll('key')),
  '/get-request-cache': async (on, query) => {
    const text = await on.getRequest(query.get('key') ?? '');
    return text === null ? 0 : [text];
  },
  '/request-cache-keys': (on) => on.keys('requests'),
};

/** Keys of a list, separated by commas. */
function listed(text: string | null): string[] {
  return (text ?? '').split(',').filter(Boolean);
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Handles the operator's addresses, which map to calls of the cache. Without the secret these pages do not exist.
 * @param secret compared in constant time; null disables them
 * @returns null for every other request, or one without the secret
 */
export function cacheAdministration(secret: string | null, operations: CacheOperations) {
  const expected = secret === null ? null : digest(secret);
  return (path: string, search: string): Promise<PageResponse> | null => {
    if (expected === null || !Object.hasOwn(addresses, path)) return null;
    const query = new URLSearchParams(search);
    if (!timingSafeEqual(digest(query.get('secret') ?? ''), expected)) return null;
    return respond(addresses[path]?.(operations, query) ?? Promise.resolve(0));
  };
}

async function respond(result: Promise<number | readonly string[]>): Promise<PageResponse> {
  const done = await result;
  const lines = typeof done === 'number' ? [String(done)] : done;
  return shortResponse(200, `<!doctype html><pre>${lines.map(xml).join('\n')}</pre>\n`, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': inertPolicy,
    'referrer-policy': 'no-referrer',
  });
}
