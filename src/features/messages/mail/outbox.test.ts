import { expect, test, vi } from 'vitest';
import type { MailQueue, QueuedMail } from './mail-queue.ts';
import { startOutbox } from './outbox.ts';

/** A queue of mails with these numbers of earlier attempts, and the outcome of each. */
function queueOf(attempts: Readonly<Record<number, number>>) {
  const waiting = new Map(Object.entries(attempts).map(([id, taken]) => [Number(id), taken]));
  const fates: Record<number, string> = {};
  const queue: MailQueue = {
    async take() {
      const [next] = [...waiting].filter(([id]) => fates[id] === undefined);
      return next === undefined ? null : { id: next[0], mailAttempts: next[1] + 1 };
    },
    waitFor: async () => null,
    async markSent(id) {
      fates[id] = 'sent';
    },
    async putOff(id, delayMs) {
      fates[id] = delayMs === null ? 'given up' : `in ${delayMs} ms`;
    },
  };
  return { queue, fates };
}

const observer = { sent: vi.fn(), failed: vi.fn(), broken: vi.fn() };

test('delays and finally gives up on a mail that makes its sender throw, and sends the others', async () => {
  const { queue, fates } = queueOf({ 1: 0, 2: 0, 3: 4, 4: 0 });
  const send = async ({ id }: QueuedMail) => {
    if (id % 2 === 1) throw new TypeError('cannot be composed');
  };
  const outbox = startOutbox(queue, send, observer, { maxAttempts: 5 });
  await vi.waitFor(
    () => expect(fates).toEqual({ 1: 'in 5000 ms', 2: 'sent', 3: 'given up', 4: 'sent' }),
    15_000,
  );
  await outbox.close();
  expect(observer.broken).not.toHaveBeenCalled();
});

test('gives up without another attempt on a mail that ended its process each time', async () => {
  const { queue, fates } = queueOf({ 1: 5, 2: 0 });
  const sent: number[] = [];
  const send = async ({ id }: QueuedMail) => {
    sent.push(id);
  };
  const outbox = startOutbox(queue, send, observer, { maxAttempts: 5 });
  await vi.waitFor(() => expect(fates).toEqual({ 1: 'given up', 2: 'sent' }), 15_000);
  await outbox.close();
  expect(sent).toEqual([2]);
});
