import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { cookieSet } from './cookie-set.ts';
import type { RouteContext } from './route-context.ts';
import { contextFor, siteFor } from './testing/route-context.ts';

const variants = { a: 1, b: 1 };
const experiments = [
  { name: 'sidebarAB', variants },
  { name: 'resourceBannerAB', variants },
  { name: 'over', variants, end: '2020-01-01' },
];
const way = cookieSet(siteFor({ experiments })).before(() => shortResponse(200));

async function runStep(query: string, changes: Partial<RouteContext> = {}) {
  const context = contextFor(`/cookie_set?${query}`, changes);
  const { status, headers } = await way(context);
  return { status, location: headers.location, cookies: context.cookies };
}

test.each([
  ['name=lang&value=de', 'lang=de; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ['name=sidebarAB&value=a', 'sidebarAB=a; Max-Age=2592000; Path=/; Secure; SameSite=Lax'],
  ['name=resourceBannerAB&value=b', 'resourceBannerAB=b; Max-Age=2592000; Path=/; Secure; SameSite=Lax'],
  [
    'name=category_page&value=c1,c2',
    'category_page=c1,c2; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Lax',
  ],
])('%s writes %s', async (query, cookie) => {
  expect(await runStep(query)).toEqual({ status: 204, location: undefined, cookies: [cookie] });
});

test('shows the requested page next', async () => {
  expect(await runStep('name=lang&value=tr&to=/tr/contact%3Fx=1%23form')).toMatchObject({
    status: 303,
    location: '/tr/contact?x=1#form',
  });
});

test('accepts a form as well', async () => {
  const body = Buffer.from('name=lang&value=de&to=%2Fde');
  expect(await runStep('', { method: 'POST', body })).toMatchObject({ status: 303, location: '/de' });
  expect(await runStep('name=lang&value=de', { method: 'DELETE' })).toMatchObject({
    status: 405,
    cookies: [],
  });
});

test.each([
  'name=token&value=1',
  'name=lang&value=fr',
  'name=lang&value=de%0d%0aSet-Cookie:x=1',
  'name=lang&value=de;Domain=x',
  'name=lang',
  'name=__proto__&value=a',
  'name=constructor&value=a',
  'name=sidebarAB&value=c',
  'name=over&value=a',
  'name=recent_visits&value=a',
  'name=lang&value=de&to=//evil.example',
  'name=lang&value=de&to=https://evil.example',
  'name=lang&value=de&to=/%5Cevil.example',
  '',
])('refuses %s and writes nothing', async (query) => {
  expect(await runStep(query)).toEqual({ status: 400, location: undefined, cookies: [] });
});

test('another site cannot choose anything for a visitor', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', host: 'site.example' },
    { origin: 'null', host: 'site.example' },
  ])
    expect(await runStep('name=lang&value=de', { headers })).toMatchObject({ status: 403, cookies: [] });
});

test('prefetching a link changes nothing', async () => {
  const headers = { 'sec-purpose': 'prefetch' };
  expect(await runStep('name=lang&value=de&to=/de', { headers })).toMatchObject({ status: 303, cookies: [] });
});

test('does not bind the cookie to TLS without TLS', async () => {
  expect((await runStep('name=lang&value=de', { isSecure: false })).cookies[0]).not.toContain('Secure');
});

test('whatever is sent, every line is one of ours and every target is on this site', async () => {
  const anything = fc.string({ unit: 'binary', maxLength: 40 });
  // Near enough to valid input that most of it reaches the later checks.
  const value = fc.oneof(
    fc.constantFrom('de', 'en', 'a', 'b'),
    fc.string({ unit: fc.constantFrom('a', '7', '-', ',', ';', ' ', '\r', '\n', '='), maxLength: 8 }),
    anything,
  );
  const to = fc.oneof(
    fc.string({ unit: fc.constantFrom('/', '\\', '.', 'a', ':', '@'), maxLength: 8 }),
    anything,
  );
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('lang', 'category_page', 'sidebarAB'),
      value,
      to,
      async (name, value, to) => {
        const { cookies, location } = await runStep(
          new URLSearchParams({ name, value, to: `/${to}` }).toString(),
        );
        answered += cookies.length;
        for (const cookie of cookies) expect(cookie).toMatch(/^[\w]+=[a-z0-9,-]+; Max-Age=\d+; Path=\/; /);
        if (location !== undefined)
          expect(new URL(location, 'https://site.example/x').origin).toBe('https://site.example');
      },
    ),
    { numRuns: 1000 },
  );
  expect(answered).toBeGreaterThan(50);
});
