import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await product.stop();
});

const isTurkishScreen = (html: string) => {
  expect(html).toContain('<html lang="tr" dir="ltr"');
  expect(html).toContain('href="/tr/contact"');
};

describe('a request that cannot be understood shows a page that does not exist', () => {
  test.each(['/tr/%', '/tr/posts/%E0%A4%A', '/tr/author/%ff?x=%'])('%s', async (target) => {
    const { status, headers, body } = await rawRequest(product.origin, target);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    isTurkishScreen(String(body));
    expect(String(body)).toContain('<title>404</title>');
  });

  test.each(['/tr/contact', '/tr/dmca', '/tr/tiktok-downloader'])(
    'a form that is none, at %s',
    async (path) => {
      const response = await fetch(product.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data' },
        body: 'x',
      });
      const html = await response.text();
      expect(response.status).toBe(404);
      isTurkishScreen(html);
      expect(html).toContain('Bu sayfa bulunamadı');
      expect(product.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
  );
});

test('what encodes something is left as it is', async () => {
  const { status, headers } = await rawRequest(product.origin, '/en/%C3%A9?x=%');
  expect([status, headers.location]).toEqual([301, '/%C3%A9?x=%']);
});

test('a form that nobody reads is refused in the frame of the page, in its language', async () => {
  const response = await fetch(`${product.origin}/tr/privacy-policy`, {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
  });
  expect(response.status).toBe(405);
  isTurkishScreen(await response.text());
});

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s does nothing to a page', async (method) => {
  const response = await fetch(`${product.origin}/contact`, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
});
