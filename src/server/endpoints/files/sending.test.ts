import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { PostResolver } from '../../../downloader/posts/resolver.ts';
import { decorateRequests } from '../../http/requests.ts';
import { createRunningDownloads } from '../../instance/running-downloads.ts';
import { contentDisposition, sendBytes } from './sending.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function* bytes(asked: () => void) {
  asked();
  yield Buffer.from('file');
}

test('sends status, headers and bytes', async () => {
  const app = Fastify();
  decorateRequests(app, { origin: 'http://site.example', hashVisitor: (key) => ({ key, block: '' }) });
  app.get('/', (request, reply) =>
    sendBytes(
      request,
      reply.header('x-before', '1'),
      206,
      { 'content-type': 'video/mp4' },
      bytes(() => {}),
    ),
  );
  const { statusCode, headers, body } = await app.inject('/');
  expect({ statusCode, headers, body }).toMatchObject({
    statusCode: 206,
    headers: { 'content-type': 'video/mp4', 'x-before': '1' },
    body: 'file',
  });
  await app.close();
});

test('breaks the connection off when the bytes end early', async () => {
  const app = Fastify();
  decorateRequests(app, { origin: 'http://site.example', hashVisitor: (key) => ({ key, block: '' }) });
  async function* broken() {
    yield Buffer.from('begin');
    throw new Error('lost');
  }
  app.get('/', (request, reply) => sendBytes(request, reply, 200, {}, broken()));
  await expect(app.inject('/')).rejects.toThrow('destroyed');
  await app.close();
});

test('sends and watches nothing for a client that left before the first byte', async () => {
  const app = Fastify();
  decorateRequests(app, { origin: 'http://site.example', hashVisitor: (key) => ({ key, block: '' }) });
  const asked = vi.fn();
  const isWithheld = vi.fn(() => false);
  const running = createRunningDownloads({ info: () => {} });
  const sent = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  app.get('/', async (request, reply) => {
    arrived.resolve();
    await once(reply.raw, 'close');
    running.track({ platform: 'tiktok', id: '1' }, reply.raw, {} as PostResolver);
    await sendBytes(request, reply, 200, {}, bytes(asked));
    sent.resolve();
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const timers = vi.getTimerCount();
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await arrived.promise;
  client.destroy();
  await sent.promise;
  expect(asked).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(timers);
  running.stop(isWithheld);
  expect(isWithheld).not.toHaveBeenCalled();
  await app.close();
});

describe('contentDisposition', () => {
  it('is plain for plain names', () => {
    expect(contentDisposition('a-1.mp4')).toBe('attachment; filename=a-1.mp4');
  });

  it('has both forms for others', () => {
    expect(contentDisposition("é'(1)*.mp3")).toBe(
      `attachment; filename="_'(1)*.mp3"; filename*=UTF-8''%C3%A9%27%281%29%2A.mp3`,
    );
  });

  it('is one safe header line for any name, and parses back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(
          /^attachment; filename=([\w.!#$&'*+^`|~-]+|"[^"\\\P{ASCII}\p{Cc}]*")(; filename\*=UTF-8''[\w.!#$&+^`|~%-]*)?$/u,
        );
        const [, encoded] = header.split("filename*=UTF-8''");
        if (encoded !== undefined) expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
      }),
    );
  });
});
