import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';

interface Listed {
  slug: string;
  url: string;
  language: string;
  published_at: string;
}

interface Categories {
  cscode: number;
  data: { uid: string; name: string; slug: string; children: unknown[] }[];
}

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

const categoriesOf = async ({ origin }: RunningProduct, query = 'language=en&is_simple=1') =>
  (await (await fetch(`${origin}/category/list?${query}`)).json()) as Categories;

const articlesOf = async ({ origin }: RunningProduct, query: string) =>
  (await (await fetch(`${origin}/stars/article/recently_hot_article?${query}`)).json()) as {
    cscode: number;
    data: Record<'hot' | 'top' | 'recently', Listed[]>;
  };

test('returns the categories, with their uids, in the requested language', async () => {
  const english = await categoriesOf(product, 'language=en&is_simple=1&origin_url=https%3A%2F%2Fexample.org');
  expect(english.cscode).toBe(200);
  expect(english.data.map(({ uid, slug, children }) => [uid, slug, children])).toEqual([
    ['1', 'guides', []],
    ['2', 'formats', []],
    ['3', 'rights-and-safety', []],
  ]);
  const turkish = await categoriesOf(product, 'language=tr&is_simple=1');
  expect(turkish.data[1]?.name).toBe('Formatlar ve kalite');
});

test('returns the requested number of the newest articles, from the requested position, with addresses of this site', async () => {
  const query = 'origin_url=x&module=posts&len=3&language=en&start=0';
  const { cscode, data } = await articlesOf(product, query);
  expect(cscode).toBe(200);
  expect(data.recently).toHaveLength(3);
  expect(data.recently.map(({ published_at }) => published_at)).toEqual(
    data.recently
      .map(({ published_at }) => published_at)
      .toSorted()
      .toReversed(),
  );
  expect(data.recently[0]).toMatchObject({
    language: 'en',
    url: `https://clipferry.example/${data.recently[0]?.slug}`,
  });
  const later = await articlesOf(product, query.replace('start=0', 'start=1'));
  expect(later.data.recently.slice(0, 2)).toEqual(data.recently.slice(1));
});

test.each(['', 'language=xx', 'language=en&len=101', 'language=en&len=-1', 'language=en&module=other'])(
  'refuses a call with "%s"',
  async (query) => {
    const response = await fetch(`${product.origin}/stars/article/recently_hot_article?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 400, error: { key: 'request_invalid' } });
  },
);

test('the lists can come from another server', async () => {
  const reader = await startProduct({ env: { CONTENT_URL: product.origin } });
  expect(await categoriesOf(reader)).toEqual(await categoriesOf(product));
  const query = 'language=en&len=5';
  expect(await articlesOf(reader, query)).toEqual(await articlesOf(product, query));
  expect(await reader.metric('clipferry_backend_calls_total', { result: 'ok' })).toBe(2);
  await reader.stop();
});

test('while the content backend is away pages are whole and not kept, and its lists and categories answer 503', async () => {
  let isAway = true;
  const backend = createServer(async (request, response) => {
    if (isAway) return response.writeHead(503).end();
    const answer = await fetch(product.origin + request.url);
    response.writeHead(answer.status).end(await answer.text());
  });
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const { port } = backend.address() as AddressInfo;
  const reader = await startProduct({
    env: { CONTENT_URL: `http://127.0.0.1:${port}`, PAGE_CACHE: '1' },
  });
  const get = (path: string) => fetch(reader.origin + path);
  for (const path of ['/category/list?language=en', '/posts/guides', '/sitemap-pages-1.xml']) {
    const refused = await get(path);
    expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, '10']);
  }
  for (const path of ['/', '/posts', '/posts.data']) {
    const page = await get(path);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  }
  expect(
    await reader.metric('clipferry_backend_calls_total', { result: 'failed', call: 'category_list' }),
  ).toBeGreaterThan(0);
  // A backend that was away is asked again after ten seconds.
  if (isAudit) {
    isAway = false;
    await eventually(async () => (await get('/posts/guides')).status).toBe(200);
    await eventually(async () => (await (await get('/posts')).text()).includes('href="/posts/guides"')).toBe(
      true,
    );
  }
  await reader.stop();
  backend.close();
});
