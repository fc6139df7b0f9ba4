import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackendError, createBackendClient } from './client.ts';

type Reply = { status: number; body: string; cookie?: string; type?: string } | Error;

function clientOf(replies: readonly Reply[], random = () => 0) {
  const requested: { url: string; method: string; body: unknown; headers: Headers }[] = [];
  const delays: number[] = [];
  const client = createBackendClient({
    base: 'https://backend.example/v1',
    limitMs: 5000,
    maxResponseBytes: 2 * 2 ** 20,
    random,
    async pause(delayMs) {
      delays.push(delayMs);
    },
    async fetch(url, init) {
      const reply = replies[requested.length];
      const { method = 'GET', body, headers: sent } = init ?? {};
      requested.push({ url: String(url), method, body, headers: new Headers(sent) });
      if (reply === undefined || reply instanceof Error) throw reply ?? new Error('asked too often');
      const headers: Record<string, string> = { 'content-type': reply.type ?? 'application/json' };
      if (reply.cookie !== undefined) headers['set-cookie'] = reply.cookie;
      return new Response(reply.body, { status: reply.status, headers });
    },
  });
  return { client, requested, delays };
}

const ok = { status: 200, body: '{"cscode":200,"data":[1]}' };
const failed = { status: 503, body: 'busy' };

test('sends its query, and returns the data', async () => {
  const { client, requested } = clientOf([ok]);
  expect(await client.get('/category/list', { language: 'de', is_simple: 1 })).toEqual([1]);
  expect(requested[0]?.url).toBe('https://backend.example/v1/category/list?language=de&is_simple=1');
});

test('retries three times after network and server errors, each time later', async () => {
  const { client, delays } = clientOf([new Error('reset'), failed, failed, ok]);
  expect(await client.get('/x', {})).toEqual([1]);
  expect(delays).toEqual([100, 200, 400]);
  const jittered = clientOf([failed, ok], () => 1);
  await jittered.client.get('/x', {});
  expect(jittered.delays).toEqual([120]);
});

test('gives up after the third retry', async () => {
  const { client, requested } = clientOf([failed, failed, failed, failed, ok]);
  await expect(client.get('/x', {})).rejects.toMatchObject({ status: 503 });
  expect(requested).toHaveLength(4);
});

test.each([
  [{ status: 404, body: '' }, 404],
  [{ status: 200, body: '{"cscode":500}' }, 200],
  [{ status: 200, body: 'null' }, 200],
  [{ status: 200, body: '<html>' }, 200],
  [{ status: 200, body: 'done', type: 'text/html' }, 200],
  [{ status: 404, body: 'gone', type: 'text/plain' }, 404],
])('%j is final', async (reply, status) => {
  const { client, requested } = clientOf([reply, ok]);
  await expect(client.get('/x', {})).rejects.toThrow(BackendError);
  expect(requested).toHaveLength(1);
  await expect(clientOf([reply]).client.get('/x', {})).rejects.toMatchObject({ status });
});

test.each(['{"code":200,"data":[1]}', '{"result":[1]}'])('%s is a success', async (body) => {
  expect(await clientOf([{ status: 200, body }]).client.get('/x', {})).toEqual([1]);
});

test.each([
  ['done', 'text/plain', 'done'],
  ['{"code":200,"data":[1]}', 'text/plain; charset=utf-8', [1]],
])('%s as %s is an answer', async (body, type, data) => {
  expect(await clientOf([{ status: 200, body, type }]).client.get('/x', {})).toEqual(data);
});

test('retries calls that may have had an effect only when there was no answer', async () => {
  const { signal } = new AbortController();
  const unanswered = clientOf([new Error('reset'), ok]);
  expect(await unanswered.client.post('/x', { url: 'y' }, signal)).toEqual([1]);
  expect(unanswered.requested.map(({ method, body }) => [method, body])).toEqual([
    ['POST', '{"url":"y"}'],
    ['POST', '{"url":"y"}'],
  ]);
  const answered = clientOf([{ status: 503, body: '{"code":503,"error":{"key":"overloaded"}}' }, ok]);
  await expect(answered.client.post('/x', {}, signal)).rejects.toMatchObject({
    status: 503,
    answer: { error: { key: 'overloaded' } },
  });
  expect(answered.requested).toHaveLength(1);
});

test('reports nothing about a backend to a caller who leaves', async () => {
  const { client, requested } = clientOf([new Error('reset'), ok]);
  const gone = new Error('gone');
  await expect(client.post('/x', {}, AbortSignal.abort(gone))).rejects.toBe(gone);
  expect(requested).toHaveLength(1);
});

test('returns the token that it received', async () => {
  const { client, requested } = clientOf([{ ...ok, cookie: 'XSRF-TOKEN=abc123; Path=/' }, ok]);
  await client.get('/x', {});
  await client.get('/x', {});
  expect(requested.map(({ headers }) => headers.get('x-xsrf-token'))).toEqual([null, 'abc123']);
  expect(requested[1]?.headers.get('cookie')).toBe('XSRF-TOKEN=abc123');
});

describe('over a connection', () => {
  let port: number;
  let answer: (path: string, response: ServerResponse) => void;
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    answer(request.url ?? '', response);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const clientOfServer = (limitMs = 5000) =>
    createBackendClient({
      base: `http://127.0.0.1:${port}`,
      limitMs,
      maxResponseBytes: 2 * 2 ** 20,
      fetch,
      random: () => 0,
      pause: async () => {},
    });

  test('is sent nowhere else', async () => {
    requested.length = 0;
    answer = (path, response) =>
      path === '/x'
        ? response.writeHead(302, { location: '/internal' }).end()
        : response.end('{"cscode":200,"data":["secret"]}');
    await expect(clientOfServer().get('/x', {})).rejects.toThrow(BackendError);
    expect(requested).not.toContain('/internal');
  });

  test('does not wait for an answer forever', async () => {
    answer = () => {};
    const { signal } = new AbortController();
    await expect(clientOfServer(50).post('/x', {}, signal)).rejects.toMatchObject({
      status: null,
      cause: { name: 'TimeoutError' },
    });
    await expect(clientOfServer(50).get('/x', {})).rejects.toThrow(BackendError);
    server.closeAllConnections();
  });

  test('does not read an endless answer', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    answer = (_, response) => {
      const part = Buffer.alloc(65_536, 0x20);
      const more = () => {
        while (!response.destroyed && response.write(part)) written += part.length;
      };
      response.on('drain', more).on('close', closed.resolve);
      more();
    };
    await expect(clientOfServer().get('/x', {})).rejects.toThrow('longer than');
    await closed.promise;
    expect(written).toBeLessThan(40 * 2 ** 20);
  });
});
