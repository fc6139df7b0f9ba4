import { afterEach, beforeEach, expect, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import {
  createMemoryFileStore,
  type MemoryFileStore,
} from '../../../stores/contracts/testing/memory-file-store.ts';
import { createConversionStore } from '../../../stores/embedded/conversion-store.ts';
import type { TicketSound } from '../../tickets/ticket-file.ts';
import type { Conversions, ConvertedFile } from '../contracts.ts';
import { createLocalConversions, type LocalConversionsOptions } from '../local-conversions.ts';
import { createFakeMaker, type FakeMaker } from './fake-maker.ts';

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
export interface ConversionsFixture {
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
