import type { TicketConversion } from '../../tickets/ticket-file.ts';
import { etagOf, type FileMaker, fileKey } from '../source.ts';

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
