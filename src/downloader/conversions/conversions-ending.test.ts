import { expect, it, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { ConvertedFile } from './contracts.ts';
import { fileKey } from './source.ts';
import { clip, forever, keyOf, readAll, setUpConversions } from './testing/conversions-fixture.ts';

const setup = setUpConversions();

it('stops the work when the last reader leaves, while waiting, reading or converting', async () => {
  for (const [at, leaveAt] of ['prepare', 'release', 'iterate', 'signal'].entries()) {
    const leaving = new AbortController();
    const opening = setup.conversions.open(clip(1), 'a', leaving.signal);
    const job = await setup.maker.started(clip(1), at + 1);
    if (leaveAt === 'prepare') {
      leaving.abort(new Error('gone'));
      expect(await keyOf(opening)).toBe('Error: gone');
    } else {
      job.prepared(6);
      const file = await opening;
      const iterator = file.read(0, 6)[Symbol.asyncIterator]();
      await job.chunk('abc');
      expect(Buffer.from((await iterator.next()).value ?? []).toString()).toBe('abc');
      // A reader that waits for bytes cannot be ended by its consumer alone.
      const pending = keyOf(iterator.next());
      if (leaveAt === 'release') file.release();
      else if (leaveAt === 'iterate') await iterator.return?.();
      else leaving.abort(new Error('gone'));
      expect(await pending).toBe('conversion_cancelled');
    }
    await vi.waitFor(() => expect(setup.maker.active).toBe(0), 15_000);
    expect(job.aborted).toBe(true);
    expect((await setup.conversions.status(clip(1))).state).toBe('cancelled');
  }
  expect(await setup.fileStore.facts(fileKey(clip(1)))).toBeNull();
  await vi.waitFor(
    () => expect(setup.ended).toEqual(Array(4).fill('cancelled conversion_cancelled false')),
    15_000,
  );
});

it('goes on for the others when one leaves or cancels', async () => {
  const openings = ['a', 'b', 'c'].map((visitor) => setup.conversions.open(clip(1), visitor, forever));
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const [first, second, third] = await Promise.all(openings);
  if (!first || !second || !third) throw new Error('not opened');
  await job.chunk('abc');
  first.release();
  const cancelled = keyOf(readAll(second));
  expect(await setup.conversions.cancel(clip(1), 'b')).toBe(true);
  expect(await setup.conversions.cancel(clip(1), 'b')).toBe(false);
  expect(await cancelled).toBe('conversion_cancelled');
  expect((await setup.conversions.status(clip(1))).state).toBe('converting');
  await job.chunk('def');
  job.end();
  expect(await readAll(third)).toBe('abcdef');
  for (const file of [second, third]) file.release();
});

it('cannot be cancelled by another visitor behind the same address', async () => {
  const [mine, others] = ['mine', 'others'].map((waiter) => ({ ...clip(1), waiter }));
  if (!mine || !others) throw new Error('not made');
  const opening = setup.conversions.open(mine, 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const file = await opening;
  const reading = keyOf(readAll(file));
  expect(await setup.conversions.cancel(others, 'a')).toBe(false);
  expect(await setup.conversions.cancel(clip(1), 'a')).toBe(false);
  const [second, without] = [
    await setup.conversions.open(others, 'a', forever),
    await setup.conversions.open(clip(1), 'a', forever),
  ];
  expect(await setup.conversions.cancel(mine, 'b')).toBe(false);
  expect(await setup.conversions.cancel(mine, 'a')).toBe(true);
  expect(await reading).toBe('conversion_cancelled');
  expect((await setup.conversions.status(clip(1))).state).toBe('converting');
  expect(await setup.conversions.cancel(clip(1), 'a')).toBe(true);
  expect(job.aborted).toBe(false);
  expect(await setup.conversions.cancel(others, 'a')).toBe(true);
  for (const one of [file, second, without]) one.release();
  await vi.waitFor(() => expect(job.aborted).toBe(true), 15_000);
});

it('has nothing to cancel for a stranger, a finished file or an unknown one', async () => {
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  expect(await setup.conversions.cancel(clip(1), 'stranger')).toBe(false);
  expect(await setup.conversions.cancel(clip(2), 'a')).toBe(false);
  job.prepared(3);
  const file = await opening;
  await job.chunk('abc');
  job.end();
  await vi.waitFor(async () => expect((await setup.conversions.status(clip(1))).state).toBe('done'), 15_000);
  expect(await setup.conversions.cancel(clip(1), 'a')).toBe(false);
  file.release();
});

it('leaves nothing behind when sixty callers leave at once', async () => {
  const leaving = new AbortController();
  const opened: ConvertedFile[] = [];
  const openings = Array.from({ length: 60 }, (_, at) =>
    setup.conversions.open(clip(at % 20), `visitor ${at}`, leaving.signal).then((file) => opened.push(file)),
  );
  const results = Promise.allSettled(openings);
  (await setup.maker.started(clip(0))).prepared(100);
  await vi.waitFor(() => expect(opened.length).toBe(3), 15_000);
  const readings = opened.map((file) => keyOf(readAll(file)));
  leaving.abort(new Error('gone'));
  for (const file of opened) file.release();
  expect((await results).filter(({ status }) => status === 'rejected').length).toBe(57);
  expect(await Promise.all(readings)).toEqual(Array(3).fill('conversion_cancelled'));
  await vi.waitFor(() => expect(setup.maker.active).toBe(0), 15_000);
  await vi.waitFor(() => expect(setup.fileStore.openDrafts).toBe(0), 15_000);
  expect(setup.maker.count).toBeLessThanOrEqual(4);
});

it('starts again for the next caller after a failure in the middle, which its readers receive', async () => {
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const file = await opening;
  const reading = keyOf(readAll(file));
  await job.chunk('abc');
  job.fail(new Failure('media_unavailable'));
  expect(await reading).toBe('media_unavailable');
  file.release();
  await vi.waitFor(
    async () =>
      expect(await setup.conversions.status(clip(1))).toMatchObject({
        state: 'failed',
        error: 'media_unavailable',
      }),
    15_000,
  );
  setup.time += 61_000;
  expect((await setup.conversions.status(clip(1))).state).toBe('idle');

  const retry = setup.conversions.open(clip(1), 'a', forever);
  (await setup.maker.started(clip(1), 2)).prepared(3);
  expect((await setup.conversions.status(clip(1))).state).not.toBe('failed');
  (await retry).release();
});

it('refuses a file that would be empty or too large, or turns out shorter than expected', async () => {
  setup.conversions = setup.create({ maxFileBytes: 10 });
  for (const [length, key] of [
    [0, 'sound_missing'],
    [11, 'media_too_large'],
  ] as const) {
    const opening = keyOf(setup.conversions.open(clip(length), 'a', forever));
    (await setup.maker.started(clip(length))).prepared(length);
    expect(await opening).toBe(key);
  }
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const file = await opening;
  const reading = keyOf(readAll(file));
  await job.chunk('abc');
  job.end();
  expect(await reading).toBe('conversion_failed');
  file.release();
  expect(await setup.fileStore.facts(fileKey(clip(1)))).toBeNull();
});

it('still delivers when the disk is full, and keeps no file then', async () => {
  setup.fileStore.fullAfter = 4;
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const file = await opening;
  const reading = readAll(file);
  await job.chunk('abc');
  await job.chunk('def');
  job.end();
  expect(await reading).toBe('abcdef');
  file.release();
  await vi.waitFor(() => expect(setup.ended).toEqual(['done  false']), 15_000);
  expect(await setup.fileStore.facts(fileKey(clip(1)))).toBeNull();
});

it('fails with storage_full when neither disk nor memory has room', async () => {
  setup.conversions = setup.create({ maxMemoryBytes: 5 });
  setup.fileStore.refuse = true;
  const opening = keyOf(setup.conversions.open(clip(1), 'a', forever));
  (await setup.maker.started(clip(1))).prepared(6);
  expect(await opening).toBe('storage_full');
});

it('aborts a conversion that takes too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const opening = keyOf(setup.conversions.open(clip(1), 'a', forever));
  await setup.maker.started(clip(1));
  vi.advanceTimersByTime(10 * 60_000);
  expect(await opening).toBe('conversion_timeout');
  expect(vi.getTimerCount()).toBe(0);
});

it('gives a long file more time than a short one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hours = 3 * 3600;
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(hours * 16_000);
  const file = await opening;
  const reading = keyOf(readAll(file));
  vi.advanceTimersByTime(50 * 60_000);
  expect(job.aborted).toBe(false);
  vi.advanceTimersByTime(10 * 60_000);
  expect(job.aborted).toBe(true);
  expect(await reading).toBe('conversion_timeout');
  file.release();
});

it('requests speed only when many wait', async () => {
  setup.conversions = setup.create({ parallel: 1 });
  const openings = Array.from({ length: 10 }, (_, at) =>
    keyOf(setup.conversions.open(clip(at), `visitor ${at}`, forever)),
  );
  const first = await setup.maker.started(clip(0));
  first.fail(new Failure('platform_failed'));
  const second = await setup.maker.started(clip(1));
  expect([first.fast, second.fast]).toEqual([false, true]);
  await setup.conversions.close();
  await Promise.all(openings);
});

it('lets running conversions end within the grace period, and refuses waiting and new ones', async () => {
  setup.conversions = setup.create({ parallel: 1 });
  const running = setup.conversions.open(clip(1), 'a', forever);
  const waiting = keyOf(setup.conversions.open(clip(2), 'b', forever));
  const job = await setup.maker.started(clip(1));
  const closing = setup.conversions.close(new AbortController().signal);
  expect(await waiting).toBe('stopping');
  expect(await keyOf(setup.conversions.open(clip(3), 'c', forever))).toBe('stopping');
  job.prepared(3);
  const file = await running;
  const reading = readAll(file);
  await job.chunk('abc');
  job.end();
  await closing;
  expect(await reading).toBe('abc');
  file.release();
  expect(setup.ended).toEqual(['done  true']);
});

it('stops running conversions when the grace period is over', async () => {
  const grace = new AbortController();
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(3);
  const file = await opening;
  const reading = keyOf(readAll(file));
  const closing = setup.conversions.close(grace.signal);
  grace.abort();
  await closing;
  expect(await reading).toBe('stopping');
  file.release();
});

it('counts as failed, not cancelled, when its last reader leaves because it failed', async () => {
  const discarded = Promise.withResolvers<void>();
  const create = setup.fileStore.create.bind(setup.fileStore);
  const conversions = setup.create({
    fileStore: {
      ...setup.fileStore,
      create: async (key, facts) => ({ ...(await create(key, facts)), discard: () => discarded.promise }),
    },
  });
  const opening = conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const file = await opening;
  const reading = keyOf(readAll(file));
  await job.chunk('abc');
  job.fail(new Failure('media_unavailable'));
  expect(await reading).toBe('media_unavailable');
  file.release();
  discarded.resolve();
  await vi.waitFor(() => expect(setup.ended).toEqual(['failed media_unavailable false']), 15_000);
  expect(await conversions.status(clip(1))).toMatchObject({ state: 'failed', error: 'media_unavailable' });
  await vi.waitFor(() => expect(setup.fileStore.openDrafts).toBe(0), 15_000);
});
