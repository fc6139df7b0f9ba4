import { afterEach, beforeEach, expect, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import {
  createMemoryFileStore,
  type MemoryFileStore,
} from '../../../stores/contracts/testing/memory-file-store.ts';
import { createConversionStore } from '../../../stores/embedded/conversion-store.ts';
import type { TicketConversion, TicketSound } from '../../tickets/ticket-file.ts';
import type { Conversions, ConvertedFile } from '../contracts.ts';
import { createLocalConversions, type LocalConversionsOptions } from '../conversions.ts';
import { etagOf, type FileMaker, fileKey } from '../source.ts';

/** The mp3 of one of ten posts. */
export const clip = (number: number): TicketSound => ({
  kind: 'sound',
  format: 'mp3',
  post: { platform: 'tiktok', id: `73000000000000000${number}` },
});
/** Never aborts. */
export const forever: AbortSignal = new AbortController().signal;

/** The key of the failure with which a promise rejects. */
export async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error) => (error instanceof Failure ? error.key : String(error)),
  );
}

/** Everything that a reader receives, as text. */
export async function readAll(file: ConvertedFile, start = 0, end = file.length): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of file.read(start, end)) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

/** Conversions with all their dependencies, new for each test. */
interface ConversionsFixture {
  maker: FakeMaker;
  fileStore: MemoryFileStore;
  conversions: Conversions;
  /** The end of each conversion: outcome, failure, whether the file is stored. */
  ended: string[];
  requested: string[];
  /** ms */
  time: number;
  create(more?: Partial<LocalConversionsOptions>): Conversions;
}

/** Sets up the tests of the calling file; no test may leave tasks, drafts or open files behind. */
export function setUpConversions(): ConversionsFixture {
  const setup = {
    create: (more = {}) =>
      createLocalConversions({
        maker: setup.maker,
        store: createConversionStore({ now: () => setup.time }),
        fileStore: setup.fileStore,
        parallel: 2,
        now: () => setup.time,
        observer: {
          requested: (how) => void setup.requested.push(how),
          waiting() {},
          running() {},
          ended: ({ outcome, failure, kept }) =>
            void setup.ended.push(`${outcome} ${failure?.key ?? ''} ${kept}`),
          error(error) {
            throw error;
          },
        },
        ...more,
      }),
  } as ConversionsFixture;
  beforeEach(() => {
    setup.time = 1_000_000;
    setup.ended = [];
    setup.requested = [];
    setup.maker = createFakeMaker();
    setup.fileStore = createMemoryFileStore(() => setup.time);
    setup.conversions = setup.create();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await setup.conversions.close();
    expect(setup.maker.active).toBe(0);
    expect(setup.fileStore.openDrafts).toBe(0);
    expect(setup.fileStore.openFiles).toBe(0);
  });
  return setup;
}

/** One conversion that a test drives step by step. */
interface FakeJob {
  readonly fast: boolean;
  readonly aborted: boolean;
  /** Lets the preparation end. @param length of the finished file */
  prepared(length: number): void;
  /** Makes these bytes; resolves when they have been accepted. */
  chunk(text: string): Promise<void>;
  end(): void;
  fail(error: Error): void;
}

/** A maker for tests that does nothing by itself. */
export interface FakeMaker extends FileMaker {
  /** Resolves when this work has started the given number of times. */
  started(work: TicketConversion, time?: number): Promise<FakeJob>;
  /** Conversions started so far. */
  readonly count: number;
  /** Conversions that have not ended. */
  readonly active: number;
}

export function createFakeMaker(): FakeMaker {
  const jobs = new Map<string, PromiseWithResolvers<FakeJob>>();
  const times = new Map<string, number>();
  let count = 0;
  let active = 0;

  function promised(name: string): PromiseWithResolvers<FakeJob> {
    const known = jobs.get(name) ?? Promise.withResolvers<FakeJob>();
    jobs.set(name, known);
    return known;
  }

  return {
    started: (work, time = 1) => promised(`${fileKey(work)} ${time}`).promise,
    get count() {
      return count;
    },
    get active() {
      return active;
    },
    async prepare({ work, fast, signal }) {
      const key = fileKey(work);
      const time = (times.get(key) ?? 0) + 1;
      times.set(key, time);
      count += 1;
      active += 1;

      const steps: { bytes: Buffer; taken: () => void }[] = [];
      let over = false;
      let wake = () => {};
      const stop = Promise.withResolvers<never>();
      stop.promise.catch(() => {});
      signal.addEventListener('abort', () => stop.reject(signal.reason), { once: true });
      const length = Promise.withResolvers<number>();

      promised(`${key} ${time}`).resolve({
        fast,
        get aborted() {
          return signal.aborted;
        },
        prepared: length.resolve,
        chunk: (text) =>
          new Promise((taken) => {
            steps.push({ bytes: Buffer.from(text), taken });
            wake();
          }),
        end() {
          over = true;
          wake();
        },
        fail: stop.reject,
      });

      async function* chunks() {
        active += 1;
        try {
          for (;;) {
            for (let step = steps.shift(); step; step = steps.shift()) {
              yield step.bytes;
              step.taken();
            }
            if (over) return;
            const more = new Promise<void>((resolve) => {
              wake = resolve;
            });
            await Promise.race([more, stop.promise]);
          }
        } finally {
          active -= 1;
        }
      }

      try {
        const bytes = await Promise.race([length.promise, stop.promise]);
        return { length: bytes, etag: etagOf(work, bytes, ['fake']), chunks: chunks() };
      } finally {
        active -= 1;
      }
    },
  };
}
