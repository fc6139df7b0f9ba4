import { expect, test } from 'vitest';
import type { Claimed, Waiting } from './outbox.ts';
import { sendWaiting } from './send-waiting.ts';

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
