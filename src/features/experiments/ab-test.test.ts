import { expect, test } from 'vitest';
import { shortResponse } from '../../server/http/responses/response.ts';
import { contextFor } from '../../server/pipeline/testing/route-context.ts';
import { abTest } from './ab-test.ts';

const half = (name: string, changes = {}) => ({
  name,
  variants: ['a', 'b'].map((variant) => ({ name: variant, weight: 1 })),
  pages: [],
  start: null,
  end: null,
  ...changes,
});
const both = [half('sidebarAB'), half('resourceBannerAB')];

async function cookiesFor(random: number, changes: Parameters<typeof contextFor>[1] = {}) {
  const context = contextFor('/', changes);
  const response = await abTest(both, () => random).before(() => shortResponse(200))(context);
  expect(response.headers).not.toHaveProperty('set-cookie');
  return context.cookies;
}

test('a new visitor gets one half of each test for 30 days', async () => {
  expect(await cookiesFor(0.49)).toEqual([
    'sidebarAB=a; Max-Age=2592000; Path=/; Secure; SameSite=Lax',
    'resourceBannerAB=a; Max-Age=2592000; Path=/; Secure; SameSite=Lax',
  ]);
  expect((await cookiesFor(0.5))[0]).toMatch(/^sidebarAB=b;/);
});

test('keeps a half once assigned, and replaces an unknown one', async () => {
  expect(await cookiesFor(0, { headers: { cookie: 'sidebarAB=b; resourceBannerAB=a' } })).toEqual([]);
  expect(await cookiesFor(0, { headers: { cookie: 'sidebarAB=c; resourceBannerAB=a' } })).toHaveLength(1);
});

test('later steps know the halves', async () => {
  const context = contextFor('/', { headers: { cookie: 'sidebarAB=b' } });
  await abTest(both, () => 0).before(() => shortResponse(200))(context);
  expect(context.buckets).toEqual({ sidebarAB: 'b', resourceBannerAB: 'a' });
});

test('assigns only visitors who see a page', async () => {
  expect(await cookiesFor(0, { kind: 'data' })).toEqual([]);
  expect(await cookiesFor(0, { method: 'HEAD' })).toEqual([]);
});

test('assigns nobody to a test that has ended, has not begun, or runs elsewhere', async () => {
  const experiments = [
    half('ended', { end: 1000 }),
    half('begins', { start: 2000 }),
    half('elsewhere', { pages: ['/contact'] }),
    half('runs', { start: 1000, end: 2000, pages: ['/'] }),
  ];
  const context = contextFor('/de', { headers: {} });
  await abTest(
    experiments,
    () => 0,
    () => 1000,
  ).before(() => shortResponse(200))(context);
  expect(context.buckets).toEqual({ runs: 'a' });
  expect(context.cookies).toHaveLength(1);
});

test('an address does not move a visitor to another variant', async () => {
  const context = contextFor('/?sidebarAB=b');
  await abTest(both, () => 0).before(() => shortResponse(200))(context);
  expect(context.buckets.sidebarAB).toBe('a');
});
