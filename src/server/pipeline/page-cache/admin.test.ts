import { expect, test } from 'vitest';
import type { CacheOperations } from '../../page-cache/page-cache.ts';
import { cacheAdministration } from './admin.ts';

const secret = 'a secret of sixteen characters';

function administer(path: string, query: Record<string, string>) {
  const calls: unknown[][] = [];
  const operations: CacheOperations = {
    keys: async (space) => (space === 'pages' ? ['en.desktop/', '<b>'] : ['list']),
    getRequest: async (key) => (key === 'known' ? '{"a":1}' : null),
    delete: async (...call) => calls.push(['delete', ...call]),
    deleteBySuffix: async (...call) => calls.push(['suffix', ...call]),
    reset: async () => calls.push(['reset']),
  };
  const answer = cacheAdministration(secret, operations)(path, `?${new URLSearchParams(query)}`);
  return { answer, calls };
}

test.each([
  ['/clear-cache', { key: 'en.desktop/' }, ['delete', 'pages', ['en.desktop/']]],
  ['/reset-cache', {}, ['reset']],
  ['/del-keys', { keys: 'a,b' }, ['delete', 'pages', ['a', 'b']]],
  ['/del-keys-by-suffix', { key: '/posts' }, ['suffix', ['/posts']]],
  ['/del-keys-by-suffix', { key: '' }, ['suffix', []]],
  ['/clear-request-cache', { key: 'list' }, ['delete', 'requests', ['list']]],
] as const)('%s %j', async (path, query, call) => {
  const { answer, calls } = administer(path, { secret, ...query });
  expect((await answer)?.status).toBe(200);
  expect(calls).toEqual([call]);
});

test('lists are text that cannot run anything', async () => {
  const { answer } = administer('/cache-keys', { secret });
  const { body, headers } = (await answer) ?? { body: '', headers: {} };
  expect(String(body)).toBe('<!doctype html><pre>en.desktop/\n&lt;b&gt;</pre>\n');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': 'no-store',
  });
  expect(String((await administer('/request-cache-keys', { secret }).answer)?.body)).toContain('list');
  expect(String((await administer('/get-request-cache', { secret, key: 'known' }).answer)?.body)).toContain(
    '{&quot;a&quot;:1}',
  );
});

test('does not exist without the right secret', () => {
  for (const wrong of ['', 'x', `${secret} `, secret.slice(1)]) {
    const { answer, calls } = administer('/reset-cache', { secret: wrong });
    expect(answer).toBeNull();
    expect(calls).toEqual([]);
  }
  const off = cacheAdministration(null, {} as CacheOperations);
  expect(off('/reset-cache', '?secret=')).toBeNull();
  expect(off('/reset-cache', '?secret=null')).toBeNull();
  expect(administer('/constructor', { secret }).answer).toBeNull();
});
