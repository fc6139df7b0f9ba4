import { Worker } from 'node:worker_threads';
import type { FindOwn } from './links.ts';
import type { FromRenderer, ToRenderer } from './render-messages.ts';
import type { RichText, RichTextRules } from './rich-text.ts';

/** Some fifty times what an article of ten pages takes; seconds are what only a mistake or an attack needs. */
const cpuLimitMs = 1000;
/** Time limits for a machine so busy that the thread hardly runs, and for work that cannot be interrupted to check. */
const wallLimitMs = 20_000;
const lookMs = 100;
const maxMemoryMb = 192;

/** A text that cannot be shown as it was written; its message says why in a few words. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused';
}

/** Makes texts of Markdown within bounds of time and memory. */
export interface BoundedRenderer {
  /**
   * @param findOwn finds the page of a path of this site in the text's language
   * @throws TextRefused; what `findOwn` throws
   */
  render(markdown: string, rules: RichTextRules, findOwn?: FindOwn): Promise<RichText>;
  close(): Promise<void>;
}

/** A thread, and its CPU time when it was last idle. */
interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
}

function start(): Thread {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    env: {},
  });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  worker.once('message', () => resolve());
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  // The rejection reaches the caller that waits for the thread.
  ready.catch(() => {});
  return { worker, ready };
}

const cpuMs = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1000;
};

/** Refuses when the thread has worked for too long since now. @returns ends the watching */
async function watch(worker: Worker, refuse: (reason: string) => void): Promise<() => void> {
  const before = await cpuMs(worker);
  const tooLong = () => refuse(`takes longer than ${cpuLimitMs / 1000} s to be made`);
  const wall = setTimeout(tooLong, wallLimitMs);
  const look = setInterval(() => {
    cpuMs(worker).then(
      (now) => {
        if (now - before > cpuLimitMs) tooLong();
      },
      // Its end is reported elsewhere.
      () => {},
    );
  }, lookMs);
  return () => {
    clearTimeout(wall);
    clearInterval(look);
  };
}

/** Renders texts in a separate thread, one after another. A thread that exceeded its limits is replaced. */
export function createBoundedRenderer(): BoundedRenderer {
  let thread: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function make(markdown: string, rules: RichTextRules, findOwn: FindOwn): Promise<RichText> {
    const current = thread ?? start();
    thread = current;
    const { worker } = current;
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<RichText>();
    const say = (message: ToRenderer) => worker.postMessage(message);
    const refuse = (reason: string) => reject(new TextRefused(reason));
    const hear = (message: FromRenderer) => {
      if (message.kind === 'made') resolve(message.text);
      else if (message.kind === 'refused') refuse(message.reason);
      else if (message.kind === 'find')
        Promise.resolve(findOwn(message.path)).then((place) => say({ kind: 'place', place }), reject);
    };
    const broke = (error: Error & { code?: string }) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse('needs too much memory to be made') : reject(error);
    const ended = () => reject(new Error('the thread ended'));
    let stopWatching = () => {};
    try {
      await current.ready;
      worker.on('message', hear).on('error', broke).on('exit', ended);
      stopWatching = await watch(worker, refuse);
      say({ kind: 'render', markdown, rules });
      const text = await promise;
      worker.off('message', hear).off('error', broke).off('exit', ended);
      worker.unref();
      return text;
    } catch (error) {
      // After any error the thread's state is unknown.
      thread = null;
      worker.on('error', () => {});
      await worker.terminate();
      throw error;
    } finally {
      stopWatching();
    }
  }

  return {
    render(markdown, rules, findOwn = (path) => ({ href: path })) {
      const turn = last.then(() => make(markdown, rules, findOwn));
      last = turn.catch(() => {});
      return turn;
    },
    async close() {
      await thread?.worker.terminate();
    },
  };
}
