import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askToForget } from './answering.ts';

let events: EventTarget;
const asked: unknown[] = [];
let status = 200;

beforeEach(() => {
  vi.useFakeTimers();
  events = new EventTarget();
  asked.length = 0;
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  vi.stubGlobal('fetch', async (address: string, { method, body }: RequestInit) => {
    asked.push([method, address, body]);
    if (status === 0) throw new TypeError('nobody there');
    return new Response(null, { status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([429, 503, 0])(
  'a visitor who answers %d is asked again, less and less often, until it succeeds',
  async (trouble) => {
    status = trouble;
    const done = askToForget('https://keeper.example', 'a-visitor');
    await vi.advanceTimersByTimeAsync(9999);
    expect(asked).toEqual([['DELETE', 'https://keeper.example/api/web/report', '{"token_id":"a-visitor"}']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(asked).toHaveLength(2);
    status = 200;
    await vi.advanceTimersByTimeAsync(1);
    await done;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(asked).toHaveLength(3);
  },
);

test('asks at once after coming back online', async () => {
  status = 0;
  const done = askToForget('', 'a-visitor');
  await vi.advanceTimersByTimeAsync(1000);
  status = 200;
  events.dispatchEvent(new Event('online'));
  await done;
  expect(asked).toHaveLength(2);
});

test('stops after a refusal', async () => {
  status = 404;
  await askToForget('', 'a-visitor');
  expect(asked).toHaveLength(1);
});
