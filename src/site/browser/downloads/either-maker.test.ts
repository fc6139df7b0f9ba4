import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BrowserOrder, provideBrowserMaker } from './browser-maker.ts';
import type { ConversionStatus, RequestedFile } from './downloads.ts';
import { type Wish, whenMade } from './either-maker.ts';

const option = { id: 'mp3', format: 'mp3', href: '/api/files/x', status_href: '/api/files/x/status' };
const file = { post: { id: '1', url: 'https://x.example' }, option } as RequestedFile;
const mp3 = new File(['sound'], 'a-1.mp3');
const waiting = (ahead: number): ConversionStatus => ({
  state: 'waiting',
  ahead,
  progress: 0,
  bytes: null,
  error: null,
});

/** The requests to the server, each answered by the test. */
interface ServerRequest {
  readonly signal: AbortSignal;
  answer(body: object, status?: number): void;
}
const serverHas = { code: 200, result: { name: 'a-1.mp3' } };
const refusal = { code: 503, error: { key: 'queue_full', message: 'Too many.' } };

let requests: ServerRequest[];
let orders: (BrowserOrder & PromiseWithResolvers<File | null>)[];
let reported: ConversionStatus[];
let report: (status: ConversionStatus) => void;
let stop: AbortController;
let withdraw = () => {};

beforeEach(() => {
  [requests, orders, reported, report, stop] = [[], [], [], () => {}, new AbortController()];
  vi.stubGlobal('fetch', (_address: string, { signal }: { signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal.addEventListener('abort', () => reject(signal.reason));
    requests.push({ signal, answer: (body, status = 200) => resolve(Response.json(body, { status })) });
    return promise;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  withdraw();
});

function provide(ahead: number): void {
  withdraw = provideBrowserMaker({
    ahead,
    makes: ({ option: { format } }) => format === 'mp3',
    make(order) {
      const made = Promise.withResolvers<File | null>();
      order.signal.addEventListener('abort', () => made.reject(order.signal.reason));
      orders.push(Object.assign(order, made));
      return made.promise;
    },
  });
}

function startDownload(wanted = file) {
  const wish: Wish = {
    file: wanted,
    locale: 'en',
    signal: stop.signal,
    watch: (watchedOption, next) => {
      report = watchedOption === null ? () => {} : next;
    },
    follow: (status) => reported.push(status),
  };
  return whenMade(wish);
}
const here = () => vi.waitUntil(() => orders[0], 15_000);
const server = (nth = 0) => vi.waitUntil(() => requests[nth], 15_000);

test('the server makes files that the device cannot make, and all of them when it makes none', async () => {
  provide(0);
  const answer = startDownload({ ...file, option: { ...option, format: 'm4a' } } as RequestedFile);
  (await server()).answer(serverHas);
  expect(await answer).toMatchObject({ name: 'a-1.mp3' });
  expect(orders).toEqual([]);
});

test('always: does not ask the server, unless the server has to make the file', async () => {
  provide(0);
  const first = startDownload();
  (await here()).progress(0.5);
  (await here()).resolve(mp3);
  expect(await first).toEqual({ made: mp3 });
  expect(requests).toEqual([]);
  expect(reported.map(({ state, progress }) => [state, progress])).toEqual([
    ['converting', 0],
    ['converting', 0.5],
  ]);

  orders = [];
  const second = startDownload();
  (await here()).reject(new Error('no worker'));
  (await server()).answer(serverHas);
  expect(await second).toMatchObject({ href: expect.stringContaining('/api/files/x') });
});

test('with few waiting ahead, the server makes the file', async () => {
  provide(3);
  const answer = startDownload();
  const { answer: say } = await server();
  report(waiting(2));
  say(serverHas);
  expect(await answer).toMatchObject({ name: 'a-1.mp3' });
  expect(orders).toEqual([]);
});

test('with many waiting ahead, the device makes it and gives up its place once that goes well, not before', async () => {
  provide(3);
  const answer = startDownload();
  const { signal } = await server();
  report(waiting(3));
  const order = await here();
  report(waiting(2));
  expect(reported.at(-1)?.state).toBe('converting');
  expect(signal.aborted).toBe(false);
  order.proven();
  expect(signal.aborted).toBe(true);
  order.resolve(mp3);
  expect(await answer).toEqual({ made: mp3 });
});

test('takes the server’s file when its turn comes earlier, and stops working on the device', async () => {
  provide(3);
  const answer = startDownload();
  const { answer: say } = await server();
  report(waiting(3));
  const order = await here();
  say(serverHas);
  expect(await answer).toMatchObject({ name: 'a-1.mp3' });
  expect(order.signal.aborted).toBe(true);
});

test('keeps its place when the device fails before that, and reports it again', async () => {
  provide(3);
  const answer = startDownload();
  const { answer: say } = await server();
  report(waiting(3));
  (await here()).resolve(null);
  await vi.waitUntil(() => reported.at(-1)?.state === 'waiting', 15_000);
  say(serverHas);
  expect(await answer).toMatchObject({ name: 'a-1.mp3' });
  expect(requests).toHaveLength(1);
});

test('asks the server again when the device fails later', async () => {
  provide(3);
  const answer = startDownload();
  await server();
  report(waiting(3));
  (await here()).proven();
  (await here()).reject(new Error('out of memory'));
  (await server(1)).answer(serverHas);
  expect(await answer).toMatchObject({ name: 'a-1.mp3' });
});

test('spares a server that refuses another file, and reports the refusal when the device fails', async () => {
  provide(3);
  const first = startDownload();
  (await server()).answer(refusal, 503);
  (await here()).resolve(mp3);
  expect(await first).toEqual({ made: mp3 });
  orders = [];
  const second = startDownload();
  (await server(1)).answer(refusal, 503);
  (await here()).resolve(null);
  expect(await second).toMatchObject({ key: 'queue_full' });
});

test('reports a refusal for another reason at once', async () => {
  provide(3);
  const answer = startDownload();
  (await server()).answer({ code: 404, error: { key: 'post_gone', message: 'Gone.' } }, 404);
  expect(await answer).toMatchObject({ key: 'post_gone' });
  expect(orders).toEqual([]);
});

test('cancelling ends both', async () => {
  provide(3);
  const answer = startDownload();
  const { signal } = await server();
  report(waiting(5));
  const order = await here();
  stop.abort(new Error('cancelled'));
  await expect(answer).rejects.toThrow('cancelled');
  expect([signal.aborted, order.signal.aborted]).toEqual([true, true]);
});
