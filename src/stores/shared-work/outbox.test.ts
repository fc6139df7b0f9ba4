import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../contracts/testing/services/databases.ts';
import { type Claimed, createOutbox, sendWaiting, type Waiting } from './outbox.ts';

const start = Date.UTC(2026, 10, 1);
const minuteMs = 60_000;

describe.each(engines)('$name', (engine) => {
  /** Rows 1, 2, ... of messages, which are in no order, or of alarms, whose channels are lanes. */
  async function open(rows: readonly ('webhook' | 'mail')[], isOrdered: boolean) {
    const fresh = await openFreshDatabase(engine);
    const query =
      fresh.database.query.$extendTables<Record<'alarm_messages' | 'messages', Record<string, unknown>>>();
    const time = { now: start };
    const texts = { form: '', locale: '', name: '', email: '', subject: '', fields: '{}' };
    const waiting = rows.map((channel, n) => ({
      ...{ state: 'waiting' as const, made_at: start, next_at: start + n },
      channel,
    }));
    if (isOrdered)
      await query
        .insertInto('alarm_messages')
        .values(waiting.map((row) => ({ ...row, alarm_id: 1, kind: 'begun', attempts: 0 })))
        .execute();
    else
      await query
        .insertInto('messages')
        .values(waiting.map(({ channel: _, ...row }) => ({ ...row, ...texts })))
        .execute();
    const outbox = isOrdered
      ? createOutbox(query, 'alarm_messages', () => time.now, 'channel')
      : createOutbox(query, 'messages', () => time.now);
    const claim = async () => (await outbox.claim())?.id ?? null;
    time.now += minuteMs;
    return { query, time, outbox, claim, [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose]() };
  }

  test('of many that claim at once, each row goes to one, who counts the attempt', async () => {
    await using fresh = await open(['mail', 'mail', 'mail'], false);
    const { outbox, claim } = fresh;
    const claimed = await Promise.all(Array.from({ length: 8 }, claim));
    // Whoever was beaten to a row looks again later.
    for (let id = await claim(); id !== null; id = await claim()) claimed.push(id);
    expect(claimed.filter((id) => id !== null).sort()).toEqual([1, 2, 3]);
    fresh.time.now += 5 * minuteMs;
    expect(await outbox.claim()).toEqual({ id: expect.any(Number), attempts: 2 });
  });

  test('a row whose sender is gone is due again after five minutes', async () => {
    await using fresh = await open(['mail'], false);
    const { time, outbox, claim } = fresh;
    expect(await claim()).toBe(1);
    expect(await outbox.waitFor()).toBe(5 * minuteMs);
    time.now += 5 * minuteMs - 1;
    expect(await claim()).toBeNull();
    time.now += 1;
    expect(await claim()).toBe(1);
  });

  test('what is sent or given up stays so, and is never due again', async () => {
    await using fresh = await open(['mail', 'mail'], false);
    const { query, time, outbox, claim } = fresh;
    for (const id of [await claim(), await claim()]) await outbox.putOff(id ?? 0, id === 1 ? minuteMs : null);
    expect(await outbox.waitFor()).toBe(minuteMs);
    time.now += minuteMs;
    await outbox.markSent((await claim()) ?? 0);
    // From senders that were slower than their claim.
    await outbox.putOff(1, minuteMs);
    await outbox.markSent(2);
    time.now += 60 * minuteMs;
    expect([await claim(), await outbox.waitFor()]).toEqual([null, null]);
    const rows = await query
      .$extendTables<{ messages: Record<string, unknown> }>()
      .selectFrom('messages')
      .select(['state', 'attempts', 'sent_at'])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { state: 'sent', attempts: 2, sent_at: start + 2 * minuteMs },
      { state: 'failed', attempts: 1, sent_at: null },
    ]);
  });

  test('a lane is sent in its order, one at a time, and holds back no other', async () => {
    await using fresh = await open(['webhook', 'mail', 'webhook', 'mail'], true);
    const { time, outbox, claim } = fresh;
    const both = [await claim(), await claim()];
    expect([...both, await claim()]).toEqual([1, 2, null]);
    await outbox.putOff(1, 10 * minuteMs);
    await outbox.markSent(2);
    expect([await claim(), await claim()]).toEqual([4, null]);
    await outbox.markSent(4);
    time.now += 10 * minuteMs;
    expect([await claim(), await claim()]).toEqual([1, null]);
    await outbox.putOff(1, null);
    expect([await claim(), await claim()]).toEqual([3, null]);
  });
});

/** Rows with these numbers of earlier attempts, and the outcome of each. */
function queueOf(attempts: Readonly<Record<number, number>>) {
  const waiting = new Map(Object.entries(attempts).map(([id, taken]) => [Number(id), taken]));
  const fates: Record<number, string> = {};
  const queue: Waiting = {
    async claim() {
      const [next] = [...waiting].filter(([id]) => fates[id] === undefined);
      return next === undefined ? null : { id: next[0], attempts: next[1] + 1 };
    },
    async markSent(id) {
      fates[id] = 'sent';
    },
    async putOff(id, delayMs) {
      fates[id] = delayMs === null ? 'given up' : `in ${delayMs} ms`;
    },
  };
  return { queue, fates };
}

const observer = { sent() {}, failed() {} };
const patience = { firstDelayMs: 5000, longestDelayMs: 15_000, maxAttempts: 5 };

test('puts off and finally gives up on a row that makes its sender throw, and sends the others', async () => {
  const { queue, fates } = queueOf({ 1: 0, 2: 0, 3: 4, 4: 0, 5: 1, 7: 3, 9: 0 });
  const isFinal = (error: unknown) => error instanceof RangeError;
  const send = async ({ id }: Claimed) => {
    if (id === 9) throw new RangeError('no other try makes sense');
    if (id % 2 === 1) throw new TypeError('cannot be composed');
  };
  await sendWaiting(queue, send, observer, { ...patience, isFinal });
  expect(fates).toEqual({
    ...{ 1: 'in 5000 ms', 2: 'sent', 3: 'given up', 4: 'sent' },
    ...{ 5: 'in 10000 ms', 7: 'in 15000 ms', 9: 'given up' },
  });
});

test('gives up without another attempt on a row that ended its process each time', async () => {
  const { queue, fates } = queueOf({ 1: 5, 2: 0 });
  const sent: number[] = [];
  const send = async ({ id }: Claimed) => {
    sent.push(id);
  };
  await sendWaiting(queue, send, observer, patience);
  expect([sent, fates]).toEqual([[2], { 1: 'given up', 2: 'sent' }]);
});
