import { expect, test } from 'vitest';
import { BackendError, createBackendClient } from './client.ts';

type Reply = { status: number; body: string; cookie?: string } | Error;

function clientOf(replies: readonly Reply[], random = () => 0) {
  const asked: { url: string; headers: Headers }[] = [];
  const delays: number[] = [];
  const client = createBackendClient({
    base: 'https://backend.example/v1',
    random,
    async pause(delayMs) {
      delays.push(delayMs);
    },
    async fetch(url, init) {
      const reply = replies[asked.length];
      asked.push({ url: String(url), headers: new Headers(init?.headers) });
      if (reply === undefined || reply instanceof Error) throw reply ?? new Error('asked too often');
      const headers = reply.cookie === undefined ? {} : { 'set-cookie': reply.cookie };
      return new Response(reply.body, { status: reply.status, headers });
    },
  });
  return { client, asked, delays };
}

const ok = { status: 200, body: '{"cscode":200,"data":[1]}' };
const failed = { status: 503, body: 'busy' };

test('asks with its query, and gives the data', async () => {
  const { client, asked } = clientOf([ok]);
  expect(await client.get('/category/list', { language: 'de', is_simple: 1 })).toEqual([1]);
  expect(asked[0]?.url).toBe('https://backend.example/v1/category/list?language=de&is_simple=1');
});

test('tries three times more after network errors and server errors, each time later', async () => {
  const { client, delays } = clientOf([new Error('reset'), failed, failed, ok]);
  expect(await client.get('/x', {})).toEqual([1]);
  expect(delays).toEqual([100, 200, 400]);
  const jittered = clientOf([failed, ok], () => 1);
  await jittered.client.get('/x', {});
  expect(jittered.delays).toEqual([120]);
});

test('gives up after the third', async () => {
  const { client, asked } = clientOf([failed, failed, failed, failed, ok]);
  await expect(client.get('/x', {})).rejects.toMatchObject({ status: 503 });
  expect(asked).toHaveLength(4);
});

test.each([
  [{ status: 404, body: '' }, 404],
  [{ status: 200, body: '{"cscode":500}' }, 200],
  [{ status: 200, body: 'null' }, 200],
  [{ status: 200, body: '<html>' }, 200],
])('%j is final', async (reply, status) => {
  const { client, asked } = clientOf([reply, ok]);
  await expect(client.get('/x', {})).rejects.toThrow(BackendError);
  expect(asked).toHaveLength(1);
  await expect(clientOf([reply]).client.get('/x', {})).rejects.toMatchObject({ status });
});

test.each(['{"code":200,"data":[1]}', '{"result":[1]}'])('%s is a success', async (body) => {
  expect(await clientOf([{ status: 200, body }]).client.get('/x', {})).toEqual([1]);
});

test('gives back the token that it was given', async () => {
  const { client, asked } = clientOf([{ ...ok, cookie: 'XSRF-TOKEN=abc123; Path=/' }, ok]);
  await client.get('/x', {});
  await client.get('/x', {});
  expect(asked.map(({ headers }) => headers.get('x-xsrf-token'))).toEqual([null, 'abc123']);
  expect(asked[1]?.headers.get('cookie')).toBe('XSRF-TOKEN=abc123');
});
