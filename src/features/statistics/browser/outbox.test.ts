import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { VisitorEvent } from '../../../site/visitors/events.ts';
import { createOutbox, type Transport } from './outbox.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let count = 0;
function event(text = ''): VisitorEvent {
  count += 1;
  return { upload_id: String(count), mode: 'event', data: { text } };
}

/** A transport that records what it sends. */
function fakeTransport(changes: Partial<Transport> = {}) {
  const sent: { how: string; ids: string[] }[] = [];
  let kept: readonly VisitorEvent[] = [];
  const note = (how: string, text: string) => {
    const ids = [JSON.parse(text) as VisitorEvent | VisitorEvent[]].flat().map((one) => one.upload_id);
    sent.push({ how, ids });
  };
  const state = { isOnline: true, needsAnswer: false, status: 200, takesBeacons: true };
  const transport: Transport = {
    isOnline: () => state.isOnline,
    needsAnswer: () => state.needsAnswer,
    beacon(text) {
      if (state.takesBeacons) note('beacon', text);
      return state.takesBeacons;
    },
    async post(text) {
      note('post', text);
      if (state.status === 0) throw new TypeError('nobody there');
      return state.status;
    },
    keep: (events) => {
      kept = events;
    },
    takeKept() {
      const taken = kept;
      kept = [];
      return taken;
    },
    ...changes,
  };
  return { transport, state, sent, kept: () => kept.map(({ upload_id }) => upload_id) };
}

const idsOf = (sent: readonly { ids: string[] }[]) => sent.flatMap(({ ids }) => ids);

test('sends everything that happens within a second in one list, as a beacon', async () => {
  const { transport, sent } = fakeTransport();
  const outbox = createOutbox(transport);
  const events = [event(), event(), event()];
  for (const one of events) outbox.add(one);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toMatchObject([{ how: 'beacon', ids: events.map(({ upload_id }) => upload_id) }]);
});

test('a list has at most twelve reports', async () => {
  const { transport, sent } = fakeTransport();
  const outbox = createOutbox(transport);
  const many = Array.from({ length: 45 }, () => event());
  for (const one of many) outbox.add(one);
  outbox.flush();
  expect(sent.every(({ ids }) => ids.length <= 12)).toBe(true);
  expect(idsOf(sent)).toEqual(many.map(({ upload_id }) => upload_id));
});

test('waits for an answer that says something new, and the next reports wait too', async () => {
  const answered = Promise.withResolvers<number>();
  const posted: string[] = [];
  const { transport, state, sent } = fakeTransport({
    post: (text) => {
      posted.push(text);
      return answered.promise;
    },
  });
  state.needsAnswer = true;
  const outbox = createOutbox(transport);
  outbox.add(event());
  await vi.advanceTimersByTimeAsync(1000);
  outbox.add(event());
  await vi.advanceTimersByTimeAsync(5000);
  expect([posted.length, sent.length]).toEqual([1, 0]);
  state.needsAnswer = false;
  answered.resolve(200);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toMatchObject([{ how: 'beacon' }]);
});

test('a browser without beacons posts', async () => {
  const { transport, state, sent } = fakeTransport();
  state.takesBeacons = false;
  const outbox = createOutbox(transport);
  outbox.add(event());
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toMatchObject([{ how: 'post' }]);
});

test('retries an unreachable or busy server later and later, and stops after a refusal', async () => {
  const { transport, state, sent } = fakeTransport();
  Object.assign(state, { needsAnswer: true, status: 0 });
  const outbox = createOutbox(transport);
  const one = event();
  outbox.add(one);
  await vi.advanceTimersByTimeAsync(1000);
  await vi.advanceTimersByTimeAsync(10_000);
  state.status = 429;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(idsOf(sent)).toEqual([one.upload_id, one.upload_id, one.upload_id]);
  state.status = 400;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(sent).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sent).toHaveLength(4);
});

test('a full list does not shorten a requested delay', async () => {
  const { transport, state, sent } = fakeTransport();
  Object.assign(state, { needsAnswer: true, status: 503 });
  const outbox = createOutbox(transport);
  outbox.add(event());
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(1);
  for (let n = 0; n < 30; n += 1) outbox.add(event());
  await vi.advanceTimersByTimeAsync(9000);
  expect(sent).toHaveLength(1);
  state.status = 200;
  await vi.advanceTimersByTimeAsync(1000);
  expect(new Set(idsOf(sent)).size).toBe(31);
});

test('everything waits while offline, also for the next page, and is sent once', async () => {
  const first = fakeTransport();
  first.state.isOnline = false;
  const outbox = createOutbox(first.transport);
  const events = [event(), event()];
  for (const one of events) outbox.add(one);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(first.sent).toEqual([]);
  outbox.flush(true);
  const ids = events.map(({ upload_id }) => upload_id);
  expect(first.kept()).toEqual(ids);
  const next = fakeTransport();
  next.transport.keep(events);
  createOutbox(next.transport);
  await vi.advanceTimersByTimeAsync(1000);
  expect(idsOf(next.sent)).toEqual(ids);
  expect(next.kept()).toEqual([]);
});

test('a page that was only put aside offline continues with what it stored, once', async () => {
  const { transport, state, sent, kept } = fakeTransport();
  state.isOnline = false;
  const outbox = createOutbox(transport);
  const [one, other] = [event(), event()];
  outbox.add(one);
  outbox.flush(true);
  outbox.add(other);
  outbox.flush(true);
  expect(kept()).toEqual([one.upload_id, other.upload_id]);
  state.isOnline = true;
  outbox.flush();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(idsOf(sent)).toEqual([one.upload_id, other.upload_id]);
});

test('a page that is left sends at once, whatever it waits for', async () => {
  const { transport, state, sent } = fakeTransport();
  state.needsAnswer = true;
  const outbox = createOutbox(transport);
  outbox.add(event());
  outbox.flush(true);
  expect(sent).toMatchObject([{ how: 'beacon' }]);
});

test('sends and stores nothing after its end', async () => {
  const { transport, sent, kept } = fakeTransport();
  const outbox = createOutbox(transport);
  outbox.add(event());
  outbox.end();
  outbox.add(event());
  outbox.flush(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, kept()]).toEqual([[], []]);
});
