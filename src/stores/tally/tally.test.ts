import { expect, test } from 'vitest';
import { createWaitingTally } from './tally.ts';
import type { TallyBatch } from './tally-store.ts';

const hourMs = 3_600_000;

/** A database that fails as often as it is told to. */
function openStore() {
  const batches: TallyBatch[] = [];
  const store = { failures: 0, batches };
  return Object.assign(store, {
    async write(batch: TallyBatch) {
      batches.push(batch);
      if (store.failures-- > 0) throw new Error('the answer was lost');
      return true;
    },
  });
}

const sumsOf = ({ entries }: TallyBatch) => entries.map(({ name, hour, total }) => [name, hour, total]);

test('a batch that may have been written is sent again as it was, and what came meanwhile after it', async () => {
  const store = openStore();
  let time = 0;
  const tally = createWaitingTally(store, () => time);
  await tally.write();
  tally.add('post', 'read', 'ok', 2);
  tally.add('post', 'read', 'ok');
  store.failures = 2;
  await expect(tally.write()).rejects.toThrow('lost');
  time = hourMs;
  tally.add('post', 'read', 'ok');
  await expect(tally.write()).rejects.toThrow('lost');
  tally.add('post', 'cache', 'ok');
  await tally.write();
  await tally.write();
  expect(store.batches.map(({ number }) => number)).toEqual([1, 1, 1, 2]);
  expect(new Set(store.batches.map(({ writer }) => writer)).size).toBe(1);
  expect(store.batches.slice(2).map(sumsOf)).toEqual([
    [['read', 0, 3]],
    [
      ['read', 1, 1],
      ['cache', 1, 1],
    ],
  ]);
});

test('invented names find no room beside existing ones', async () => {
  const store = openStore();
  let full = 0;
  const tally = createWaitingTally(store, () => 0, { most: 2, onFull: () => (full += 1) });
  for (const name of ['a', 'b', 'c', 'a']) tally.add('post', name);
  await tally.write();
  expect(full).toBe(1);
  expect(store.batches.map(sumsOf)).toEqual([
    [
      ['a', 0, 2],
      ['b', 0, 1],
    ],
  ]);
});
