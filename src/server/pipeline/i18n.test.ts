import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { i18n } from './i18n.ts';
import { contextFor } from './testing/route-context.ts';

const way = i18n().before(() => shortResponse(200));

test.each([
  ['/ph/contact?x=1', '/tl/contact?x=1'],
  ['/en/contact', '/contact'],
  ['/tr/tr/contact', '/tr/contact'],
  ['/DE/contact', '/de/contact'],
  ['/tr/PH', '/tl'],
])('%s -> %s', async (path, target) => {
  const response = await way(contextFor(path));
  expect([response.status, response.headers.location]).toEqual([301, target]);
});

test.each([
  ['/contact', 'en'],
  ['/tr/de/contact', 'de'],
  ['/tl', 'fil'],
])('%s is in %s', async (path, lang) => {
  const context = contextFor(path);
  expect((await way(context)).status).toBe(200);
  expect(context.responseHeaders).toEqual({ 'content-language': lang });
});

test('the browser’s router receives its redirects from the page', async () => {
  expect((await way(contextFor('/en/contact', { kind: 'data' }))).status).toBe(200);
});
