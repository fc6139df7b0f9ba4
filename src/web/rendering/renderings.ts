import { Failure } from '../../failures/failures.ts';
import type { BuiltSite } from '../server/parts.ts';

export interface RenderingsOptions {
  /** So many may wait for the database at the same time. */
  readonly atOnce?: number;
  /** So many may wait for their turn: at 5 ms each, the last of them waits for a second. */
  readonly mostWaiting?: number;
  /** A page that had no turn in this time is refused: something that pages ask does not answer. */
  readonly patienceMs?: number;
}

/** Has pages rendered in their turn. */
export interface Renderings {
  /** Whether one more would be refused. */
  readonly isFull: boolean;
  /** @throws Failure `overloaded` */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for something else in the middle of a rendering, and lets another one have its place meanwhile. */
  outside<T>(wait: () => Promise<T>): Promise<T>;
}

/** Seconds after which another try makes sense. */
const retryAfterS = 2;

/**
 * Rendering a page keeps the whole process busy for milliseconds. So no two begin in the same turn of the event loop:
 * whatever else there is to answer, such as kept pages and files, comes in between. Beyond a number of waiting pages
 * more are refused at once, since whoever would have to wait for seconds asks again, which makes it worse.
 */
export function createRenderings({
  atOnce = 8,
  mostWaiting = 200,
  patienceMs = 5000,
}: RenderingsOptions = {}): Renderings {
  const waiting = new Set<() => void>();
  let running = 0;
  let isTurnAhead = false;

  function nextTurn(): void {
    if (isTurnAhead || waiting.size === 0 || running >= atOnce) return;
    isTurnAhead = true;
    setImmediate(() => {
      isTurnAhead = false;
      const [first] = waiting;
      if (first === undefined || running >= atOnce) return;
      waiting.delete(first);
      first();
      nextTurn();
    });
  }

  function turn(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      clearTimeout(patience);
      running += 1;
      resolve();
    };
    const patience = setTimeout(() => {
      waiting.delete(begin);
      reject(new Failure('overloaded', { retryAfterS, note: 'no turn to render the page in time' }));
    }, patienceMs);
    waiting.add(begin);
    nextTurn();
    return promise;
  }

  const isFull = () => waiting.size >= mostWaiting;

  return {
    get isFull() {
      return isFull();
    },
    async run(work) {
      if (isFull()) throw new Failure('overloaded', { retryAfterS, note: 'too many pages to render' });
      await turn();
      try {
        return await work();
      } finally {
        running -= 1;
        nextTurn();
      }
    },
    async outside(wait) {
      running -= 1;
      nextTurn();
      try {
        return await wait();
      } finally {
        running += 1;
      }
    },
  };
}

/** The pages, rendered in their turn whoever asks for them. Those that wait for the platform hold up no others. */
export function inTurn(site: BuiltSite, { run, outside }: Renderings): BuiltSite {
  return {
    ...site,
    handle: (request, services) =>
      run(() =>
        site.handle(request, {
          ...services,
          resolve: (...given) => outside(() => services.resolve(...given)),
          sendMessage: (sent) => outside(() => services.sendMessage(sent)),
        }),
      ),
  };
}
