import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { readConfigurationFile } from '../../app/parts/read-site-configuration.ts';
import { decorateRequests } from '../http/requests.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { createPageCache } from '../page-cache/cached-pages.ts';
import { createRenderQueue } from '../rendering/render-queue.ts';
import { pages } from './pages.ts';

/** A site on which every address is a page that takes a given time. */
function build(made: (asked: Request) => Promise<void>) {
  const configuration = readConfigurationFile('site.config.json');
  const see = vi.fn();
  const parts = {
    configuration: {
      ...configuration,
      route_steps: ['injection-store', 'route'],
    },
    origin: 'http://site.example',
    own: { logo: null },
    metrics: new Registry(),
    site: {
      version: '1',
      files: '',
      async handle(asked: Request) {
        await made(asked);
        return new Response('<p>read</p>', { headers: { 'content-type': 'text/html' } });
      },
    },
    policy: {},
    pageCache: createPageCache({ maxBytes: 1e6 }),
    pageCacheForced: false,
    cacheAdminSecret: null,
    views: { see, flush: async () => {} },
    tally: { add() {} },
    limits: {},
  } as unknown as ServerDependencies;
  const app = Fastify();
  decorateRequests(app, { origin: parts.origin, hashVisitor: (key) => ({ key, block: '' }) });
  pages(app, { renderQueue: createRenderQueue(), refusalPage: vi.fn(), ofFeatures: [] }, parts);
  return { app, see };
}

test('does not count a page that its visitor has left', async () => {
  const handled = Promise.withResolvers<void>();
  const { app, see } = build(async ({ signal }) => {
    client.destroy();
    await once(signal, 'abort');
    setImmediate(handled.resolve);
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET /an-article HTTP/1.1\r\nhost: site.example\r\nuser-agent: Firefox\r\n\r\n');
  await handled.promise;
  expect(see).not.toHaveBeenCalled();
  await app.close();
});

test('counts a page that was sent', async () => {
  const { app, see } = build(async () => {});
  const response = await app.inject({ url: '/an-article', headers: { 'user-agent': 'Firefox' } });
  expect([response.statusCode, response.body]).toEqual([200, '<p>read</p>']);
  expect(see).toHaveBeenCalledExactlyOnceWith('en', 'an-article');
  await app.close();
});
