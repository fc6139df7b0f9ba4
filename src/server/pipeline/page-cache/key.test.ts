import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RouteContext } from '../route-context.ts';
import { contextFor, siteFor } from '../testing/route-context.ts';
import { audienceOf, keyOf } from './key.ts';

const phone =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/144.0.0.0 Mobile Safari/537.36';
const desk =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/144.0.0.0 Safari/537.36 Edg/144.0';

function key(target: string, changes: Partial<RouteContext> = {}, format = 'locale.device'): string | null {
  const configuration = siteFor({ page_cache: { key_format: format, ignored_parameters: ['utm_source'] } });
  const context = contextFor(target, changes);
  context.audience = audienceOf(context, configuration.page_cache.key_format, 'site.example');
  return keyOf(context, configuration);
}

describe('the key', () => {
  test.each([
    ['/', 'en.desktop/'],
    ['/contact', 'en.desktop/contact'],
    ['/tr/de/posts-new1/7/2', 'de.desktop/tr/de/posts-new1/7/2'],
    ['/de.data', 'de.desktop/de.data'],
    ['/_.data', 'en.desktop/_.data'],
    ['/contact?source=x&medium=y&utm_source=z', 'en.desktop/contact'],
    ['/contact?Source=x', 'en.desktop/contact'],
    ['/contact?url=x&n=1&index', 'en.desktop/contact'],
    ['/posts?page=99&url=x', 'en.desktop/posts'],
    ['/contact?category=7', 'en.desktop/contact'],
    ['/?title=x', 'en.desktop/'],
    ['/contact?sidebarAB=b&resourceBannerAB=a', 'en.desktop/contact'],
    ['/de?sidebarAB=none-such', 'de.desktop/de'],
  ])('of %s is %s', (target, expected) => {
    expect(key(target, target.endsWith('.data') ? { kind: 'data' } : {})).toBe(expected);
  });

  test('contains what the format names, in its order', () => {
    const headers = { 'user-agent': desk, accept: 'image/avif,image/webp,*/*', cookie: 'token=1' };
    const changes = { headers, buckets: { sidebarAB: 'b', resourceBannerAB: 'a' } };
    expect(key('/de', changes, 'device.os.browser.webp.login.domain.ab.locale')).toBe(
      'desktop.win.edge.webp.in.site.example.b-a.de/de',
    );
    expect(key('/', { headers: { 'user-agent': phone } })).toBe('en.mobile/');
    expect(key('/', { host: 'evil.example' }, 'domain.locale')).toBe('other.en/');
  });
});

test.each([
  '/?url=x',
  '/de/posts?category=7',
  '/?text=x',
  '/?title=y&text=x',
  '/Contact',
  '/%63ontact',
  '//contact',
  '/contact//',
  '/../contact',
  '/checkout',
  '/de/checkout',
  '/my-account/orders',
  '/de/my-account/',
  `/${'a'.repeat(400)}`,
])('never stores %s', (target) => {
  expect(key(target)).toBeNull();
});

test('never stores partial data', () => {
  expect(key('/contact.data?_routes=root', { kind: 'data' })).toBeNull();
});

test('does not store form submissions, nor the list of modules', () => {
  expect(key('/', { method: 'POST' })).toBeNull();
  expect(key('/__manifest', { kind: 'manifest' })).toBeNull();
  expect(key('/contact', { method: 'HEAD' })).toBe(key('/contact'));
});

test('excludes a path below an excluded one, but not one that only begins like it', () => {
  expect(key('/checkout/pay')).toBeNull();
  expect(key('/checkout-help')).not.toBeNull();
});

test('a page has few keys, whatever headers, query and host are', () => {
  const seen = new Set<string | null>();
  const text = fc.string({ maxLength: 30 });
  fc.assert(
    fc.property(text, text, text, text, text, (agent, accept, cookie, host, query) => {
      const headers = { 'user-agent': agent, accept, cookie, 'x-forwarded-host': host };
      seen.add(key(`/contact?${query}`, { headers, host }, 'locale.device.os.browser.webp.login.domain'));
    }),
    { numRuns: 500 },
  );
  expect(seen.size).toBeLessThan(2 * 6 * 5 * 2 * 2 * 2 + 1);
});
