import { expect, test } from 'vitest';
import type { SiteServices } from '../../site/loaders/services.ts';
import { shortResponse } from '../http/responses/response.ts';
import { lifeS } from '../page-cache/prepared-page.ts';
import { route } from './route.ts';
import { contextFor, siteFor } from './testing/route-context.ts';

const services = { isIncomplete: () => false } as SiteServices;

test('the page receives the public origin, not the requested host', async () => {
  const requested: Request[] = [];
  const handle = async (request: Request) => {
    requested.push(request);
    return new Response('<p>', {
      headers: { 'content-type': 'text/html', 'set-cookie': 'a=1', connection: 'x' },
    });
  };
  const way = route(
    { handle, files: '', version: '1', renderDesk: async () => '' },
    'https://site.example',
    siteFor(),
  ).before(() => shortResponse(500));
  const headers = { host: 'evil.example', 'accept-language': 'de', connection: 'close' };
  const response = await way(
    contextFor('//evil.example/x?y=1', { method: 'POST', body: Buffer.from('url=1'), headers, services }),
  );
  const [request] = requested;
  expect(request?.url).toBe('https://site.example//evil.example/x?y=1');
  expect(request?.headers.get('accept-language')).toBe('de');
  expect(request?.headers.has('connection')).toBe(false);
  expect(await request?.text()).toBe('url=1');
  expect(response.headers).toEqual({
    'content-type': 'text/html',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(response.cookies).toEqual(['a=1']);
});

test('allows scripts that the renderer names, but not one injected into the page', async () => {
  const handle = async () =>
    new Response('<script>ours()</script><script>smuggled()</script>', {
      headers: { 'content-type': 'text/html', 'x-script-hashes': "'sha256-ours'" },
    });
  const way = route(
    { handle, files: '', version: '1', renderDesk: async () => '' },
    'https://site.example',
    siteFor(),
  ).before(() => shortResponse(500));
  const { headers } = await way(contextFor('/', { services }));
  expect(headers['content-security-policy']).toMatch(/; script-src 'self' 'sha256-ours'$/);
  expect(headers).not.toHaveProperty('x-script-hashes');
});

test.each([false, true])('a page of a list whose server is away is not kept: %s', async (isIncomplete) => {
  const handle = async () => new Response('<p>', { headers: { 'content-type': 'text/html' } });
  const way = route(
    { handle, files: '', version: '1', renderDesk: async () => '' },
    'https://site.example',
    siteFor(),
  ).before(() => shortResponse(500));
  for (const path of ['/posts', '/posts.data']) {
    const page = await way(contextFor(path, { services: { ...services, isIncomplete: () => isIncomplete } }));
    expect(lifeS(page, 600)).toBe(isIncomplete ? 0 : 600);
  }
});
