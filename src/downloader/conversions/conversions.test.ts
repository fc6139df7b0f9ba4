import { expect, it, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { FileStore } from '../../stores/contracts/file-store.ts';
import { createConversionStore } from '../../stores/embedded/conversion-store.ts';
import { fileKey } from './source.ts';
import { clip, forever, keyOf, readAll, setUpConversions } from './testing/conversions-fixture.ts';

const setup = setUpConversions();

it('delivers bytes while the conversion runs and keeps the file', async () => {
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  expect((await setup.conversions.status(clip(1))).state).toBe('reading');
  job.prepared(6);
  const file = await opening;
  expect(file).toMatchObject({ length: 6, complete: false });
  expect(file.etag).toMatch(/^"[\w-]{22}"$/);

  const reading = readAll(file);
  await job.chunk('abc');
  await vi.waitFor(
    async () =>
      expect(await setup.conversions.status(clip(1))).toMatchObject({
        state: 'converting',
        fraction: 0.5,
        bytes: 6,
      }),
    15_000,
  );
  await job.chunk('def');
  job.end();
  expect(await reading).toBe('abcdef');
  await vi.waitFor(async () => expect((await setup.conversions.status(clip(1))).state).toBe('done'), 15_000);
  file.release();

  setup.time += 100_000;
  expect(await setup.conversions.status(clip(1))).toEqual({
    state: 'done',
    ahead: null,
    fraction: 1,
    bytes: 6,
    error: null,
  });
  const again = await setup.conversions.open(clip(1), 'b', forever);
  expect(again).toMatchObject({ length: 6, complete: true, etag: file.etag });
  expect(await readAll(again, 1, 3)).toBe('bc');
  again.release();
  expect(setup.maker.count).toBe(1);
  expect(setup.ended).toEqual(['done  true']);
  expect(setup.requested).toEqual(['started', 'kept']);
});

it('keeps the file although its only reader left with the last byte', async () => {
  const opening = setup.conversions.open(clip(1), 'a', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(3);
  const file = await opening;
  const reading = readAll(file);
  await job.chunk('abc');
  expect(await reading).toBe('abc');
  file.release();
  job.end();
  await vi.waitFor(() => expect(setup.ended).toEqual(['done  true']), 15_000);
});

it('converts once for a thousand callers', async () => {
  const openings = Array.from({ length: 1000 }, (_, at) =>
    setup.conversions.open(clip(1), `visitor ${at}`, forever),
  );
  const job = await setup.maker.started(clip(1));
  job.prepared(6);
  const files = await Promise.all(openings);
  const readings = files.map((file) => readAll(file));
  await job.chunk('abc');
  await job.chunk('def');
  job.end();
  expect(new Set(await Promise.all(readings))).toEqual(new Set(['abcdef']));
  for (const file of files) file.release();
  expect(setup.maker.count).toBe(1);
  await vi.waitFor(() => expect(setup.ended).toEqual(['done  true']), 15_000);
});

it('does not repeat a conversion that began and ended while it looked for the file', async () => {
  const lookedUp = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow: FileStore = {
    ...setup.fileStore,
    create: (key, facts) => setup.fileStore.create(key, facts),
    async open(key) {
      const found = await setup.fileStore.open(key);
      lookedUp.resolve();
      await goOn.promise;
      return found;
    },
  };
  const store = createConversionStore({ now: () => setup.time });
  const late = setup.create({ store, fileStore: slow }).open(clip(1), 'a', forever);
  await lookedUp.promise;
  const opening = setup.create({ store }).open(clip(1), 'b', forever);
  const job = await setup.maker.started(clip(1));
  job.prepared(3);
  const file = await opening;
  await job.chunk('abc');
  job.end();
  await vi.waitFor(() => expect(setup.ended).toEqual(['done  true']), 15_000);
  goOn.resolve();
  const found = await late;
  expect(await readAll(found)).toBe('abc');
  expect(setup.maker.count).toBe(1);
  for (const opened of [file, found]) opened.release();
});

it('serves what another instance or an earlier run kept', async () => {
  const draft = await setup.fileStore.create(fileKey(clip(1)), { length: 3, etag: '"k"' });
  await draft.write(Buffer.from('old'));
  await draft.publish();
  await draft.close();
  expect((await setup.conversions.status(clip(1))).state).toBe('done');
  const file = await setup.conversions.open(clip(1), 'a', forever);
  expect(await readAll(file)).toBe('old');
  file.release();
  file.release();
  expect(setup.maker.count).toBe(0);
});

it('allows one conversion per visitor at a time, and says how many are ahead', async () => {
  const first = setup.conversions.open(clip(1), 'a', forever);
  const second = keyOf(setup.conversions.open(clip(2), 'a', forever));
  await setup.maker.started(clip(1));
  expect(await setup.conversions.status(clip(2))).toMatchObject({ state: 'waiting', ahead: 0 });
  const third = setup.conversions.open(clip(3), 'b', forever);
  await setup.maker.started(clip(3));
  expect(setup.maker.count).toBe(2);
  (await setup.maker.started(clip(1))).fail(new Failure('sound_missing'));
  expect(await keyOf(first)).toBe('sound_missing');
  await setup.maker.started(clip(2));
  await setup.conversions.cancel(clip(2), 'a');
  await setup.conversions.cancel(clip(3), 'b');
  expect(await second).toBe('conversion_cancelled');
  expect(await keyOf(third)).toBe('conversion_cancelled');
});

it('refuses conversions beyond the queue, with a waiting time from measured conversions', async () => {
  setup.conversions = setup.create({ parallel: 1, maxWaiting: 2 });
  const run = async (number: number) => {
    const opening = setup.conversions.open(clip(number), 'slow', forever);
    const job = await setup.maker.started(clip(number));
    setup.time += 10_000;
    job.prepared(1);
    const file = await opening;
    await job.chunk('x');
    job.end();
    await vi.waitFor(async () => expect((await setup.conversions.status(clip(number))).state).toBe('done'), {
      interval: 1,
    });
    file.release();
  };
  for (let number = 10; number < 40; number += 1) await run(number);
  const waiting = ['a', 'b', 'c'].map((visitor, at) =>
    keyOf(setup.conversions.open(clip(at), visitor, forever)),
  );
  await setup.maker.started(clip(0));
  const refused = await setup.conversions.open(clip(4), 'd', forever).catch((error) => error);
  expect(refused).toMatchObject({ key: 'queue_full', retryAfterS: 30 });
  expect(await setup.conversions.status(clip(4))).toMatchObject({ state: 'failed', error: 'queue_full' });
  await setup.conversions.close();
  expect(await Promise.all(waiting)).toEqual(['stopping', 'stopping', 'stopping']);
});
