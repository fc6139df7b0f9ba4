import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { siteFile } from '../support/site-file.ts';

const requested: string[] = [];

/** A backend without posts and articles, which records its requests. */
async function backend(name: string) {
  const server = createServer((request, response) => {
    requested.push(`${name} ${request.method} ${request.url?.split('?')[0]}`);
    request.resume();
    if (name === 'away') return void response.writeHead(503).end();
    if (request.method === 'GET') return void response.end('{"cscode":200,"data":[]}');
    response.writeHead(404).end('{"code":404,"error":{"key":"post_gone","message":"x"}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const names = ['main', 'main-test', 'short', 'short-test', 'audio', 'away', 'fixed'] as const;
let backends: Awaited<ReturnType<typeof backend>>[];
let product: RunningProduct;
const originOf = (name: (typeof names)[number]) => backends[names.indexOf(name)]?.origin ?? '';

beforeAll(async () => {
  backends = await Promise.all(names.map(backend));
  const SITE_CONFIG = siteFile({
    hosts: ['www2.clipferry.example'],
    backends: {
      main: { production: originOf('main'), pre_production: originOf('main-test') },
      short_video: {
        production: originOf('short'),
        pre_production: originOf('away'),
        default: originOf('fixed'),
      },
      audio: { production: originOf('audio') },
    },
  });
  product = await startProduct({ env: { SITE_CONFIG, SITE_ORIGIN: 'https://test.clipferry.example' } });
});
afterAll(async () => {
  await product.stop();
  for (const { server } of backends) server.close();
});
beforeEach(() => {
  requested.length = 0;
});

const resolve = (host: string, page: string) =>
  rawRequest(product.origin, `/api/resolve?page=${page}`, {
    method: 'POST',
    headers: { host, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://www.tiktok.com/@a/video/7615133378163811813' }),
  });
const resolved = () => requested.filter((line) => line.includes('/api/resolve')).sort();

test.each([
  ['clipferry.example', '/tiktok-video-downloader', ['short POST /api/resolve']],
  ['clipferry.example', '/download-mp3-tiktok', ['audio POST /api/resolve']],
  // A page for both formats calls both backends in parallel.
  ['clipferry.example', '/tiktok-downloader', ['audio POST /api/resolve', 'short POST /api/resolve']],
  // The set's own backend has failed; there is none for sound.
  [
    'test.clipferry.example',
    '/tiktok-video-downloader',
    ['away POST /api/resolve', 'fixed POST /api/resolve'],
  ],
  // Names that are not the site's count as that of its public origin.
  ['loaclhost:3000', '/download-mp3-tiktok', ['away POST /api/resolve', 'fixed POST /api/resolve']],
  ['evil.example', '/download-mp3-tiktok', ['away POST /api/resolve', 'fixed POST /api/resolve']],
  // A host in the configuration is the site's own.
  ['www2.clipferry.example', '/tiktok-video-downloader', ['short POST /api/resolve']],
])('under %s the backends of its name resolve the links of %s', async (host, page, expected) => {
  expect((await resolve(host, page)).status).toBe(404);
  expect(resolved()).toEqual(expected);
});

test('lists of articles and categories come from the main backend of the site’s own name', async () => {
  const page = await fetch(`${product.origin}/posts`);
  expect(page.status).toBe(200);
  expect(requested.filter((line) => line.startsWith('main '))).toEqual([]);
  expect(requested).toContain('main-test GET /category/list');
});
