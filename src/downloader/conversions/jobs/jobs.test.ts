import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import {
  JobFailed,
  type JobOrder,
  JobsUnavailable,
  type MadeFile,
} from '../../../stores/contracts/conversion-jobs.ts';
import {
  createMemoryFileStore,
  type MemoryFileStore,
} from '../../../stores/contracts/testing/memory-file-store.ts';
import { createConversionStore } from '../../../stores/embedded/conversion-store.ts';
import type { Conversions } from '../contracts.ts';
import { createLocalQueue } from '../conversion-queue.ts';
import { createConversionRunner } from '../conversion-runner.ts';
import { createConversions, fileTarget } from '../conversions.ts';
import { etagOf, fileKey } from '../source.ts';
import {
  clip,
  createFakeMaker,
  type FakeMaker,
  forever,
  keyOf,
  readAll,
} from '../testing/conversions-fixture.ts';
import { createJobQueue } from './job-queue.ts';
import { writeJob } from './job-text.ts';
import { createJobWork } from './job-work.ts';

let maker: FakeMaker;
let kept: MemoryFileStore;
let local: MemoryFileStore;
let ended: string[];
let running: number;
const unexpected = (error: unknown) => {
  throw error;
};

const createRunner = () =>
  createConversionRunner({
    maker,
    target: fileTarget(kept, {}, unexpected),
    now: () => 0,
    observer: {
      running(count) {
        running = count;
      },
      ended: ({ outcome, failure }) => void ended.push(`${outcome} ${failure?.key ?? ''}`),
      error: unexpected,
    },
  });

beforeEach(() => {
  maker = createFakeMaker();
  kept = createMemoryFileStore();
  local = createMemoryFileStore();
  ended = [];
  running = 0;
});
afterEach(() => {
  expect([maker.active, running]).toEqual([0, 0]);
  expect([kept, local].map((store) => store.openDrafts + store.openFiles)).toEqual([0, 0]);
});

describe('an instance that orders its conversions', () => {
  let conversions: Conversions;
  let order: (
    order: JobOrder,
    signal: AbortSignal,
    waits: (ahead: number | null, made: number) => void,
  ) => Promise<MadeFile>;

  beforeEach(() => {
    const runner = createRunner();
    conversions = createConversions({
      store: createConversionStore({ now: () => 0 }),
      fileStore: kept,
      observer: { requested() {}, error: unexpected },
      openQueue: (events) =>
        createJobQueue({
          jobs: { order: (...args) => order(...args) },
          local: createLocalQueue({ ...events, runner, parallel: 1, waiting() {} }),
          target: fileTarget(local, {}, unexpected),
          ...events,
        }),
    });
  });
  afterEach(() => conversions.close());

  /** A worker's bytes, until the connection to it breaks. */
  const madeElsewhere = (text: string, length: number, then?: Promise<never>) => ({
    length,
    etag: etagOf(clip(1), length, ['fake']),
    chunks: (async function* () {
      yield Buffer.from(text);
      await then;
    })(),
  });

  it('passes on the bytes that a worker makes, and the position of a waiting job', async () => {
    const turn = Promise.withResolvers<MadeFile>();
    const orders: JobOrder[] = [];
    order = (wanted, _, waits) => {
      orders.push(wanted);
      waits(3, 0);
      return turn.promise;
    };
    const opening = [1, 2].map((reader) => conversions.open(clip(1), `visitor ${reader}`, forever));
    await vi.waitFor(
      async () => expect(await conversions.status(clip(1))).toMatchObject({ state: 'waiting', ahead: 3 }),
      15_000,
    );
    turn.resolve(madeElsewhere('abcdef', 6));
    for (const file of await Promise.all(opening)) {
      expect(await readAll(file)).toBe('abcdef');
      file.release();
    }
    expect(orders).toEqual([{ key: fileKey(clip(1)), work: writeJob(clip(1)), visitor: 'visitor 1' }]);
    expect([maker.count, ended]).toEqual([0, []]);
    await vi.waitFor(async () => expect(await local.facts(fileKey(clip(1)))).not.toBeNull(), 15_000);
  });

  it('makes the file itself, in turn, when no worker is there', async () => {
    order = () => Promise.reject(new JobsUnavailable('no worker'));
    const leaving = new AbortController();
    const [first, second] = [
      conversions.open(clip(1), 'a', forever),
      keyOf(conversions.open(clip(2), 'a', leaving.signal)),
    ];
    const job = await maker.started(clip(1));
    await vi.waitFor(
      async () => expect(await conversions.status(clip(2))).toMatchObject({ state: 'waiting', ahead: 0 }),
      15_000,
    );
    leaving.abort(new Failure('conversion_cancelled'));
    expect(await second).toBe('conversion_cancelled');
    job.prepared(3);
    await Promise.all([job.chunk('abc'), first]);
    job.end();
    const file = await first;
    expect(await readAll(file)).toBe('abc');
    file.release();
    await vi.waitFor(() => expect(ended).toEqual(['done ']), 15_000);
    expect(maker.count).toBe(1);
    expect(await kept.facts(fileKey(clip(1)))).not.toBeNull();
  });

  it('makes a file for another visitor when the first visitor has too many waiting', async () => {
    const taken = Promise.withResolvers<MadeFile>();
    order = () => Promise.reject(new JobsUnavailable('no worker'));
    const full = Array.from({ length: 11 }, (_, at) => keyOf(conversions.open(clip(at), 'a', forever)));
    await vi.waitFor(
      async () => expect(await conversions.status(clip(10))).toMatchObject({ state: 'waiting', ahead: 9 }),
      15_000,
    );
    order = () => taken.promise;
    const both = ['a', 'b'].map((visitor) => keyOf(conversions.open(clip(11), visitor, forever)));
    await vi.waitFor(async () => expect((await conversions.status(clip(11))).state).toBe('reading'), 15_000);
    taken.reject(new JobsUnavailable('Redis is away'));
    await vi.waitFor(
      async () => expect(await conversions.status(clip(11))).toMatchObject({ state: 'waiting', ahead: 1 }),
      15_000,
    );
    order = () => Promise.reject(new JobsUnavailable('no worker'));
    expect(await keyOf(conversions.open(clip(12), 'a', forever))).toBe('queue_full');
    await conversions.close();
    expect(await Promise.all([...full, ...both])).toEqual(Array(13).fill('stopping'));
  });

  it('resumes in the middle of a file that a worker began, with the same bytes, by itself', async () => {
    for (const [number, length, end] of [
      [1, 6, 'abcdef'],
      [2, 7, 'conversion_failed'],
    ] as const) {
      const broken = Promise.withResolvers<never>();
      broken.promise.catch(() => {});
      order = async () => ({
        ...madeElsewhere('abcd', 6, broken.promise),
        etag: etagOf(clip(number), 6, ['fake']),
      });
      const file = await conversions.open(clip(number), 'a', forever);
      const read = readAll(file).catch((failure: Failure) => failure.key);
      broken.reject(new JobsUnavailable('Redis is away'));
      const job = await maker.started(clip(number));
      job.prepared(length);
      if (length === 6) {
        await job.chunk('abc');
        await job.chunk('def');
        job.end();
      }
      expect(await read).toBe(end);
      file.release();
    }
  });

  it('passes on the failures of workers, and replaces one that it does not know', async () => {
    for (const [failed, key] of [
      ['post_gone', 'post_gone'],
      ['of_the_next_version', 'internal'],
    ] as const) {
      order = () => Promise.reject(new JobFailed(failed));
      expect(await keyOf(conversions.open(clip(1), 'a', forever))).toBe(key);
    }
  });

  it('withdraws its order when the last reader leaves', async () => {
    const left = vi.fn();
    order = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          left();
          reject(signal.reason);
        });
      });
    const leaving = new AbortController();
    const opening = keyOf(conversions.open(clip(1), 'a', leaving.signal));
    await vi.waitFor(async () => expect((await conversions.status(clip(1))).state).toBe('reading'), 15_000);
    leaving.abort(new Error('gone'));
    expect(await opening).toBe('Error: gone');
    expect(left).toHaveBeenCalledOnce();
    expect((await conversions.status(clip(1))).state).toBe('cancelled');
  });
});

describe('an instance that works on jobs', () => {
  let stopping: AbortController;
  const make = (signal: AbortSignal, number = 1) =>
    createJobWork({
      runner: createRunner(),
      fileStore: kept,
      stopping: stopping.signal,
      onError: unexpected,
    })(writeJob(clip(number)), signal, () => {});
  const textOf = async ({ chunks }: MadeFile) => {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    return Buffer.concat(parts).toString();
  };

  beforeEach(() => {
    stopping = new AbortController();
  });

  it('delivers the bytes of a file as they arrive, keeps the file, and makes it once', async () => {
    const making = make(forever);
    const job = await maker.started(clip(1));
    expect(running).toBe(1);
    job.prepared(6);
    const reading = textOf(await making);
    await job.chunk('abc');
    await job.chunk('def');
    job.end();
    expect(await reading).toBe('abcdef');
    expect(ended).toEqual(['done ']);
    expect(await textOf(await make(forever))).toBe('abcdef');
    expect(maker.count).toBe(1);
  });

  it('fails by the key of the failure, before and after the first byte', async () => {
    const early = make(forever).catch((error: unknown) => error);
    (await maker.started(clip(1))).fail(new Failure('post_gone'));
    expect(await early).toEqual(new JobFailed('post_gone'));
    const making = make(forever, 2);
    const job = await maker.started(clip(2));
    job.prepared(6);
    const reading = textOf(await making).catch((error: unknown) => error);
    await job.chunk('abc');
    job.fail(new Failure('media_unavailable'));
    expect(await reading).toEqual(new JobFailed('media_unavailable'));
  });

  it('fails when the file cannot be kept, after its last byte', async () => {
    const create = kept.create.bind(kept);
    kept.create = async (...file) => ({
      ...(await create(...file)),
      publish: () => Promise.reject(new Error('the disk is broken')),
    });
    const making = make(forever);
    const job = await maker.started(clip(1));
    job.prepared(3);
    const reading = textOf(await making).catch((error: unknown) => error);
    await job.chunk('abc');
    job.end();
    expect(await reading).toEqual(new JobFailed('internal'));
  });

  it('stops when nobody wants the file, read or not, and returns the job when the instance stops', async () => {
    for (const [number, when] of ['preparing', 'opened', 'stopping'].entries()) {
      const unwanted = new AbortController();
      const making = make(unwanted.signal, number).catch((error: unknown) => error);
      const job = await maker.started(clip(number));
      if (when === 'opened') {
        job.prepared(6);
        await making;
      }
      if (when === 'stopping') stopping.abort();
      else unwanted.abort();
      await vi.waitFor(() => expect(running).toBe(0), 15_000);
      expect(job.aborted).toBe(true);
      if (when === 'stopping') expect(await making).toEqual(new JobFailed('stopping'));
    }
    expect(ended).toEqual([
      'cancelled conversion_cancelled',
      'cancelled conversion_cancelled',
      'failed stopping',
    ]);
    await expect(make(forever, 4)).rejects.toEqual(new JobFailed('stopping'));
  });
});
