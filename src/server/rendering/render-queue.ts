import { Failure } from '../../failures/failures.ts';
import type { BuiltSite } from '../instance/parts.ts';

export interface RenderQueueOptions {
  /** Renderings that may wait for the database at the same time. */
  readonly atOnce?: number;
  /** Queue limit: at 5 ms each, the last page waits for a second. */
  readonly mostWaiting?: number;
  /** Longest time in the queue; after it a page is refused, since a dependency of pages does not respond. */
  readonly patienceMs?: number;
}

/** Seconds after which another try makes sense. */
const retryAfterS = 2;

/**
 * Rendering a page blocks the process for milliseconds. So at most one rendering starts in each iteration of the event
 * loop, and other responses, such as cached pages and files, come in between. Beyond the queue limit pages are refused
 * at once, since a visitor who waits for seconds retries and makes it worse.
 */
export function createRenderQueue({
  atOnce = 8,
  mostWaiting = 200,
  patienceMs = 5000,
}: RenderQueueOptions = {}) {
  const waiting = new Set<() => void>();
  let running = 0;
  let isStartScheduled = false;

  function startNext(): void {
    if (isStartScheduled || waiting.size === 0 || running >= atOnce) return;
    isStartScheduled = true;
    setImmediate(() => {
      isStartScheduled = false;
      const [first] = waiting;
      if (first === undefined || running >= atOnce) return;
      waiting.delete(first);
      first();
      startNext();
    });
  }

  function waitForSlot(): Promise<void> {
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
    startNext();
    return promise;
  }

  const isFull = () => waiting.size >= mostWaiting;

  return {
    /** Whether one more would be refused. */
    get isFull() {
      return isFull();
    },
    /** @throws Failure `overloaded` */
    async run<T>(task: () => Promise<T>) {
      if (isFull()) throw new Failure('overloaded', { retryAfterS, note: 'too many pages to render' });
      await waitForSlot();
      try {
        return await task();
      } finally {
        running -= 1;
        startNext();
      }
    },
    /** Awaits another operation in the middle of a rendering, and gives its slot to another meanwhile. */
    async outside<T>(wait: () => Promise<T>) {
      running -= 1;
      startNext();
      try {
        return await wait();
      } finally {
        running += 1;
      }
    },
  };
}

/** A queue for rendering pages. */
export type RenderQueue = ReturnType<typeof createRenderQueue>;

/** Queues all renderings. Those that wait for the platform block no others. */
export function withRenderQueue(site: BuiltSite, { run, outside }: RenderQueue): BuiltSite {
  return {
    ...site,
    handle: (request, services) =>
      run(() =>
        site.handle(request, {
          ...services,
          resolve: (...given) => outside(() => services.resolve(...given)),
          list: (...given) => outside(() => services.list(...given)),
          sendMessage: (sent) => outside(() => services.sendMessage(sent)),
        }),
      ),
  };
}
