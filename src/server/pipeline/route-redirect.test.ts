import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { routeRedirect } from './route-redirect.ts';
import { contextFor, siteFor } from './testing/route-context.ts';

const page = () => shortResponse(200);
const way = routeRedirect(siteFor(), 'https://site.example').before(page);

test.each([
  ['/video-converter', '/'],
  ['/video-downloader/', '/'],
  ['/de/video-converter?source=old&x=1', '/de?source=old&x=1'],
  ['/tr/de/video-downloader', '/de'],
  ['/tr/video-downloader', '/tr'],
  ['/ph/video-converter', '/tl'],
  ['/en/video-converter', '/'],
])('%s -> %s', async (path, target) => {
  const response = await way(contextFor(path));
  expect([response.status, response.headers.location]).toEqual([301, target]);
});

test.each(['/video-converter-2', '/x/video-converter', '/constructor', '/'])('%s stays', async (path) => {
  expect((await way(contextFor(path))).status).toBe(200);
});

test.each([
  ['/de/contact?x=1', 'https://site.example/de/contact?x=1'],
  ['//evil.example', 'https://site.example/'],
])('www. and %s redirect to %s', async (path, target) => {
  const response = await way(contextFor(path, { host: 'WWW.site.example' }));
  expect([response.status, response.headers.location]).toEqual([301, target]);
});

test.each(['www.evil.example', 'evil.example', 'www.site.example.evil.example', 'www.www.site.example'])(
  'does not follow the host %s',
  async (host) => {
    expect((await way(contextFor('/', { host }))).status).toBe(200);
  },
);

test('does not redirect a form, nor the data of a page', async () => {
  expect((await way(contextFor('/video-converter', { method: 'POST' }))).status).toBe(200);
  expect((await way(contextFor('/video-converter', { kind: 'data' }))).status).toBe(200);
});
