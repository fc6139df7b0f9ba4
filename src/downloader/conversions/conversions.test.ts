import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeptFiles } from '../../stores/contracts/kept-files.ts';
import {
  createMemoryKeptFiles,
  type MemoryKeptFiles,
} from '../../stores/contracts/testing/memory-kept-files.ts';
import { createConversionStore } from '../../stores/embedded/conversions/conversion-store.ts';
import { Failure } from '../failures.ts';
import type { SoundWork } from '../tickets/work.ts';
import type { ConversionStatus, Conversions, ConvertedFile } from './contracts.ts';
import { type ConversionsOptions, createConversions } from './conversions.ts';
import { fileKey } from './source.ts';
import { createFakeMaker, type FakeMaker } from './testing/fake-maker.ts';

const clip = (number: number): SoundWork => ({
  kind: 'sound',
  format: 'mp3',
  post: { platform: 'tiktok', id: `73000000000000000${number}` },
});
const forever = new AbortController().signal;

async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error) => (error instanceof Failure ? error.key : String(error)),
  );
}

async function readAll(file: ConvertedFile, start = 0, end = file.length): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of file.read(start, end)) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

describe('conversions', () => {
  let maker: FakeMaker;
  let keptFiles: MemoryKeptFiles;
  let conversions: Conversions;
  let ended: string[];
  let asked: string[];
  let time: number;

  const create = (more: Partial<ConversionsOptions> = {}) =>
    createConversions({
      maker,
      store: createConversionStore({ now: () => time }),
      keptFiles,
      parallel: 2,
      now: () => time,
      observer: {
        asked: (how) => void asked.push(how),
        queue() {},
        ended: ({ outcome, failure, kept }) => void ended.push(`${outcome} ${failure?.key ?? ''} ${kept}`),
        trouble(error) {
          throw error;
        },
      },
      ...more,
    });

  beforeEach(() => {
    time = 1_000_000;
    ended = [];
    asked = [];
    maker = createFakeMaker();
    keptFiles = createMemoryKeptFiles(() => time);
    conversions = create();
  });

  afterEach(async () => {
    vi.useRealTimers();
    await conversions.close();
    expect(maker.active).toBe(0);
    expect(keptFiles.openDrafts).toBe(0);
    expect(keptFiles.openFiles).toBe(0);
  });

  it('gives the bytes while they are made and keeps the file', async () => {
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    expect((await conversions.status(clip(1))).state).toBe('reading');
    job.prepared(6);
    const file = await opening;
    expect(file).toMatchObject({ length: 6, complete: false });
    expect(file.etag).toMatch(/^"[\w-]{22}"$/);

    const reading = readAll(file);
    await job.chunk('abc');
    await vi.waitFor(async () =>
      expect(await conversions.status(clip(1))).toMatchObject({
        state: 'converting',
        fraction: 0.5,
        bytes: 6,
      }),
    );
    await job.chunk('def');
    job.end();
    expect(await reading).toBe('abcdef');
    await vi.waitFor(async () => expect((await conversions.status(clip(1))).state).toBe('done'));
    file.release();

    time += 100_000;
    expect(await conversions.status(clip(1))).toEqual({
      state: 'done',
      ahead: null,
      fraction: 1,
      bytes: 6,
      error: null,
    });
    const again = await conversions.open(clip(1), 'b', forever);
    expect(again).toMatchObject({ length: 6, complete: true, etag: file.etag });
    expect(await readAll(again, 1, 3)).toBe('bc');
    again.release();
    expect(maker.count).toBe(1);
    expect(ended).toEqual(['done  true']);
    expect(asked).toEqual(['started', 'kept']);
  });

  it('keeps the file although its only reader went with the last byte', async () => {
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    job.prepared(3);
    const file = await opening;
    const reading = readAll(file);
    await job.chunk('abc');
    expect(await reading).toBe('abc');
    file.release();
    job.end();
    await vi.waitFor(() => expect(ended).toEqual(['done  true']));
  });

  it('converts once for a thousand askers', async () => {
    const openings = Array.from({ length: 1000 }, (_, at) =>
      conversions.open(clip(1), `visitor ${at}`, forever),
    );
    const job = await maker.started(clip(1));
    job.prepared(6);
    const files = await Promise.all(openings);
    const readings = files.map((file) => readAll(file));
    await job.chunk('abc');
    await job.chunk('def');
    job.end();
    expect(new Set(await Promise.all(readings))).toEqual(new Set(['abcdef']));
    for (const file of files) file.release();
    expect(maker.count).toBe(1);
    await vi.waitFor(() => expect(ended).toEqual(['done  true']));
  });

  it('does not make again what was begun and ended while it looked for the file', async () => {
    const looked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: KeptFiles = {
      ...keptFiles,
      create: (key, facts) => keptFiles.create(key, facts),
      async open(key) {
        const found = await keptFiles.open(key);
        looked.resolve();
        await goOn.promise;
        return found;
      },
    };
    const store = createConversionStore({ now: () => time });
    const late = create({ store, keptFiles: slow }).open(clip(1), 'a', forever);
    await looked.promise;
    const opening = create({ store }).open(clip(1), 'b', forever);
    const job = await maker.started(clip(1));
    job.prepared(3);
    const file = await opening;
    await job.chunk('abc');
    job.end();
    await vi.waitFor(() => expect(ended).toEqual(['done  true']));
    goOn.resolve();
    const found = await late;
    expect(await readAll(found)).toBe('abc');
    expect(maker.count).toBe(1);
    for (const opened of [file, found]) opened.release();
  });

  it('converts once for two instances: the second waits for the file of the first', async () => {
    const store = createConversionStore({ now: () => time });
    const [one, other] = [create({ store }), create({ store })];
    const opening = one.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    const elsewhere = other.open(clip(1), 'b', forever);
    const leaving = new AbortController();
    const left = keyOf(other.open(clip(1), 'c', leaving.signal));
    job.prepared(3);
    const file = await opening;
    expect(await other.status(clip(1))).toMatchObject({ state: 'converting', bytes: 3 });
    leaving.abort(new Error('gone'));
    expect(await left).toBe('Error: gone');
    await job.chunk('abc');
    job.end();
    const second = await elsewhere;
    expect(second.complete).toBe(true);
    expect(await readAll(second)).toBe('abc');
    expect(maker.count).toBe(1);
    for (const opened of [file, second]) opened.release();
  });

  it('makes the file itself when the instance that made it gives up', async () => {
    const store = createConversionStore({ now: () => time });
    const [one, other] = [create({ store }), create({ store })];
    const opening = keyOf(one.open(clip(1), 'a', forever));
    await maker.started(clip(1));
    const elsewhere = other.open(clip(1), 'b', forever);
    expect(await other.cancel(clip(1), 'a')).toBe(true);
    expect(await opening).toBe('conversion_cancelled');
    const job = await maker.started(clip(1), 2);
    job.prepared(3);
    (await elsewhere).release();
    await vi.waitFor(() => expect(job.aborted).toBe(true));
  });

  it('serves what another instance or an earlier run kept', async () => {
    const draft = await keptFiles.create(fileKey(clip(1)), { length: 3, etag: '"k"' });
    await draft.write(Buffer.from('old'));
    await draft.publish();
    await draft.close();
    expect((await conversions.status(clip(1))).state).toBe('done');
    const file = await conversions.open(clip(1), 'a', forever);
    expect(await readAll(file)).toBe('old');
    file.release();
    file.release();
    expect(maker.count).toBe(0);
  });

  it('lets one visitor have one at a time, and says how many are ahead', async () => {
    const first = conversions.open(clip(1), 'a', forever);
    const second = keyOf(conversions.open(clip(2), 'a', forever));
    await maker.started(clip(1));
    expect(await conversions.status(clip(2))).toMatchObject({ state: 'waiting', ahead: 0 });
    const third = conversions.open(clip(3), 'b', forever);
    await maker.started(clip(3));
    expect(maker.count).toBe(2);
    (await maker.started(clip(1))).fail(new Failure('sound_missing'));
    expect(await keyOf(first)).toBe('sound_missing');
    await maker.started(clip(2));
    await conversions.cancel(clip(2), 'a');
    await conversions.cancel(clip(3), 'b');
    expect(await second).toBe('conversion_cancelled');
    expect(await keyOf(third)).toBe('conversion_cancelled');
  });

  it('refuses what is beyond the queue, with a time that follows from measured conversions', async () => {
    conversions = create({ parallel: 1, maxWaiting: 2 });
    const run = async (number: number) => {
      const opening = conversions.open(clip(number), 'slow', forever);
      const job = await maker.started(clip(number));
      time += 10_000;
      job.prepared(1);
      const file = await opening;
      await job.chunk('x');
      job.end();
      await vi.waitFor(async () => expect((await conversions.status(clip(number))).state).toBe('done'), {
        interval: 1,
      });
      file.release();
    };
    for (let number = 10; number < 40; number += 1) await run(number);
    const waiting = ['a', 'b', 'c'].map((visitor, at) => keyOf(conversions.open(clip(at), visitor, forever)));
    await maker.started(clip(0));
    const refused = await conversions.open(clip(4), 'd', forever).catch((error) => error);
    expect(refused).toMatchObject({ key: 'queue_full', status: 503, retryAfterS: 30 });
    expect(await conversions.status(clip(4))).toMatchObject({ state: 'failed', error: 'queue_full' });
    await conversions.close();
    expect(await Promise.all(waiting)).toEqual(['stopping', 'stopping', 'stopping']);
  });

  it('stops the work when the last reader leaves, while waiting, reading or converting', async () => {
    for (const [at, leaveAt] of ['prepare', 'release', 'iterate', 'signal'].entries()) {
      const leaving = new AbortController();
      const opening = conversions.open(clip(1), 'a', leaving.signal);
      const job = await maker.started(clip(1), at + 1);
      if (leaveAt === 'prepare') {
        leaving.abort(new Error('gone'));
        expect(await keyOf(opening)).toBe('Error: gone');
      } else {
        job.prepared(6);
        const file = await opening;
        const iterator = file.read(0, 6)[Symbol.asyncIterator]();
        await job.chunk('abc');
        expect(Buffer.from((await iterator.next()).value ?? []).toString()).toBe('abc');
        // A reader that waits for bytes is exactly one that cannot be ended by its consumer alone.
        const pending = keyOf(iterator.next());
        if (leaveAt === 'release') file.release();
        else if (leaveAt === 'iterate') await iterator.return?.();
        else leaving.abort(new Error('gone'));
        expect(await pending).toBe('conversion_cancelled');
      }
      await vi.waitFor(() => expect(maker.active).toBe(0));
      expect(job.aborted).toBe(true);
      expect((await conversions.status(clip(1))).state).toBe('cancelled');
    }
    expect(await keptFiles.facts(fileKey(clip(1)))).toBeNull();
    await vi.waitFor(() => expect(ended).toEqual(Array(4).fill('cancelled conversion_cancelled false')));
  });

  it('goes on for the others when one leaves or cancels', async () => {
    const openings = ['a', 'b', 'c'].map((visitor) => conversions.open(clip(1), visitor, forever));
    const job = await maker.started(clip(1));
    job.prepared(6);
    const [first, second, third] = await Promise.all(openings);
    if (!first || !second || !third) throw new Error('not opened');
    await job.chunk('abc');
    first.release();
    const cancelled = keyOf(readAll(second));
    expect(await conversions.cancel(clip(1), 'b')).toBe(true);
    expect(await conversions.cancel(clip(1), 'b')).toBe(false);
    expect(await cancelled).toBe('conversion_cancelled');
    expect((await conversions.status(clip(1))).state).toBe('converting');
    await job.chunk('def');
    job.end();
    expect(await readAll(third)).toBe('abcdef');
    for (const file of [second, third]) file.release();
  });

  it('has nothing to cancel for a stranger, a finished file or an unknown one', async () => {
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    expect(await conversions.cancel(clip(1), 'stranger')).toBe(false);
    expect(await conversions.cancel(clip(2), 'a')).toBe(false);
    job.prepared(3);
    const file = await opening;
    await job.chunk('abc');
    job.end();
    await vi.waitFor(async () => expect((await conversions.status(clip(1))).state).toBe('done'));
    expect(await conversions.cancel(clip(1), 'a')).toBe(false);
    file.release();
  });

  it('leaves nothing when sixty leave at once', async () => {
    const leaving = new AbortController();
    const opened: ConvertedFile[] = [];
    const openings = Array.from({ length: 60 }, (_, at) =>
      conversions.open(clip(at % 20), `visitor ${at}`, leaving.signal).then((file) => opened.push(file)),
    );
    const results = Promise.allSettled(openings);
    (await maker.started(clip(0))).prepared(100);
    await vi.waitFor(() => expect(opened.length).toBe(3));
    const readings = opened.map((file) => keyOf(readAll(file)));
    leaving.abort(new Error('gone'));
    for (const file of opened) file.release();
    expect((await results).filter(({ status }) => status === 'rejected').length).toBe(57);
    expect(await Promise.all(readings)).toEqual(Array(3).fill('conversion_cancelled'));
    await vi.waitFor(() => expect(maker.active).toBe(0));
    await vi.waitFor(() => expect(keptFiles.openDrafts).toBe(0));
    expect(maker.count).toBeLessThanOrEqual(4);
  });

  it('starts anew for the next asker after a failure in the middle, which its readers get', async () => {
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    job.prepared(6);
    const file = await opening;
    const reading = keyOf(readAll(file));
    await job.chunk('abc');
    job.fail(new Failure('media_unavailable'));
    expect(await reading).toBe('media_unavailable');
    file.release();
    await vi.waitFor(async () =>
      expect(await conversions.status(clip(1))).toMatchObject({
        state: 'failed',
        error: 'media_unavailable',
      }),
    );
    time += 61_000;
    expect((await conversions.status(clip(1))).state).toBe('idle');

    const retry = conversions.open(clip(1), 'a', forever);
    (await maker.started(clip(1), 2)).prepared(3);
    expect((await conversions.status(clip(1))).state).not.toBe('failed');
    (await retry).release();
  });

  it('refuses a file that would be empty or too large, and one that comes out shorter', async () => {
    conversions = create({ maxFileBytes: 10 });
    for (const [length, key] of [
      [0, 'sound_missing'],
      [11, 'media_too_large'],
    ] as const) {
      const opening = keyOf(conversions.open(clip(length), 'a', forever));
      (await maker.started(clip(length))).prepared(length);
      expect(await opening).toBe(key);
    }
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    job.prepared(6);
    const file = await opening;
    const reading = keyOf(readAll(file));
    await job.chunk('abc');
    job.end();
    expect(await reading).toBe('conversion_failed');
    file.release();
    expect(await keptFiles.facts(fileKey(clip(1)))).toBeNull();
  });

  it('still delivers when the disk is full, and keeps nothing then', async () => {
    keptFiles.fullAfter = 4;
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    job.prepared(6);
    const file = await opening;
    const reading = readAll(file);
    await job.chunk('abc');
    await job.chunk('def');
    job.end();
    expect(await reading).toBe('abcdef');
    file.release();
    await vi.waitFor(() => expect(ended).toEqual(['done  false']));
    expect(await keptFiles.facts(fileKey(clip(1)))).toBeNull();
  });

  it('fails with storage_full when neither disk nor memory has room', async () => {
    conversions = create({ maxMemoryBytes: 5 });
    keptFiles.refuse = true;
    const opening = keyOf(conversions.open(clip(1), 'a', forever));
    (await maker.started(clip(1))).prepared(6);
    expect(await opening).toBe('storage_full');
  });

  it('gives up a conversion that takes too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opening = keyOf(conversions.open(clip(1), 'a', forever));
    await maker.started(clip(1));
    vi.advanceTimersByTime(10 * 60_000);
    expect(await opening).toBe('conversion_timeout');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives a long file more time than a short one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hours = 3 * 3600;
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
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

  it('asks for speed only when many wait', async () => {
    conversions = create({ parallel: 1 });
    const openings = Array.from({ length: 10 }, (_, at) =>
      keyOf(conversions.open(clip(at), `visitor ${at}`, forever)),
    );
    const first = await maker.started(clip(0));
    first.fail(new Failure('platform_failed'));
    const second = await maker.started(clip(1));
    expect([first.fast, second.fast]).toEqual([false, true]);
    await conversions.close();
    await Promise.all(openings);
  });

  it('lets what runs end within the grace, and refuses what waits or comes', async () => {
    conversions = create({ parallel: 1 });
    const running = conversions.open(clip(1), 'a', forever);
    const waiting = keyOf(conversions.open(clip(2), 'b', forever));
    const job = await maker.started(clip(1));
    const closing = conversions.close(new AbortController().signal);
    expect(await waiting).toBe('stopping');
    expect(await keyOf(conversions.open(clip(3), 'c', forever))).toBe('stopping');
    job.prepared(3);
    const file = await running;
    const reading = readAll(file);
    await job.chunk('abc');
    job.end();
    await closing;
    expect(await reading).toBe('abc');
    file.release();
    expect(ended).toEqual(['done  true']);
  });

  it('stops what runs when the grace is over', async () => {
    const grace = new AbortController();
    const opening = conversions.open(clip(1), 'a', forever);
    const job = await maker.started(clip(1));
    job.prepared(3);
    const file = await opening;
    const reading = keyOf(readAll(file));
    const closing = conversions.close(grace.signal);
    grace.abort();
    await closing;
    expect(await reading).toBe('stopping');
    file.release();
  });

  describe('watching', () => {
    /** Collects what a watcher is told. */
    function watch(number: number) {
      const stop = new AbortController();
      const seen: ConversionStatus[] = [];
      const over = (async () => {
        for await (const status of conversions.watch(clip(number), stop.signal)) seen.push(status);
      })();
      return { seen, states: () => seen.map(({ state }) => state), stop, over };
    }

    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

    it('tells states at once and progress a few times a second, and ends', async () => {
      const watcher = watch(1);
      await vi.waitFor(() => expect(watcher.states()).toEqual(['idle']));
      const opening = conversions.open(clip(1), 'a', forever);
      const job = await maker.started(clip(1));
      await vi.waitFor(() => expect(watcher.states().at(-1)).toBe('reading'));
      job.prepared(100);
      const file = await opening;
      await vi.waitFor(() => expect(watcher.states().at(-1)).toBe('converting'));
      const before = watcher.seen.length;
      for (let count = 0; count < 50; count += 1) await job.chunk('x');
      expect(watcher.seen.length).toBe(before);
      vi.advanceTimersByTime(200);
      await vi.waitFor(() => expect(watcher.seen.at(-1)).toMatchObject({ fraction: 0.5, bytes: 100 }));
      expect(watcher.seen.length).toBe(before + 1);
      await job.chunk('y'.repeat(50));
      job.end();
      await watcher.over;
      expect(watcher.seen.at(-1)).toMatchObject({ state: 'done', fraction: 1 });
      file.release();
      expect(vi.getTimerCount()).toBe(0);
    });

    it('tells a failure, and that a turn comes nearer', async () => {
      conversions = create({ parallel: 1 });
      const openings = ['a', 'b', 'c'].map((visitor, at) =>
        keyOf(conversions.open(clip(at), visitor, forever)),
      );
      const first = await maker.started(clip(0));
      await vi.waitFor(async () => expect((await conversions.status(clip(2))).ahead).toBe(1));
      const watcher = watch(2);
      await vi.waitFor(() => expect(watcher.seen).toMatchObject([{ state: 'waiting', ahead: 1 }]));
      first.fail(new Failure('post_gone'));
      await maker.started(clip(1));
      vi.advanceTimersByTime(200);
      await vi.waitFor(() => expect(watcher.seen.at(-1)).toMatchObject({ state: 'waiting', ahead: 0 }));
      (await maker.started(clip(1))).fail(new Failure('post_gone'));
      (await maker.started(clip(2))).fail(new Failure('post_gone'));
      await watcher.over;
      expect(watcher.seen.at(-1)).toMatchObject({ state: 'failed', error: 'post_gone' });
      expect(await Promise.all(openings)).toEqual(Array(3).fill('post_gone'));
    });

    it('of a second try begins with that one, not with the end of the first', async () => {
      const first = keyOf(conversions.open(clip(1), 'a', forever));
      (await maker.started(clip(1))).fail(new Failure('platform_timeout'));
      expect(await first).toBe('platform_timeout');
      const watcher = watch(1);
      await vi.waitFor(() => expect(watcher.states()).toEqual(['idle']));
      expect((await conversions.status(clip(1))).state).toBe('failed');
      const second = keyOf(conversions.open(clip(1), 'a', forever));
      await maker.started(clip(1), 2);
      await conversions.cancel(clip(1), 'a');
      await watcher.over;
      expect(watcher.states().at(-1)).toBe('cancelled');
      expect(await second).toBe('conversion_cancelled');
    });

    it('ends without a word when the watcher leaves', async () => {
      const watcher = watch(1);
      await vi.waitFor(() => expect(watcher.seen.length).toBe(1));
      watcher.stop.abort();
      await watcher.over;
      expect(watcher.states()).toEqual(['idle']);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
