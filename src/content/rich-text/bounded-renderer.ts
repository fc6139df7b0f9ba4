import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FindOwn, OwnPlace } from './links.ts';
import type { RichText, RichTextRules } from './rich-text.ts';

/** Messages to the renderer: one text at a time, and the pages of the paths that it requested. */
export type ToRenderer =
  | { readonly kind: 'render'; readonly markdown: string; readonly rules: RichTextRules }
  | { readonly kind: 'place'; readonly place: OwnPlace };

/** Messages from it. */
export type FromRenderer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'find'; readonly path: string }
  | { readonly kind: 'made'; readonly text: RichText }
  | { readonly kind: 'refused'; readonly reason: string; readonly isCostly: boolean };

const program = fileURLToPath(new URL('./render-process.ts', import.meta.url));
const usualThread = new URL('./render-worker.ts', import.meta.url);

/** A text that cannot be shown as it was written; its message says why in a few words. */
export class TextRefused extends Error {
  override readonly name = 'TextRefused';
  /** It took what a text may cost: to try it again costs as much. */
  readonly isCostly: boolean;

  constructor(reason: string, isCostly: boolean) {
    super(reason);
    this.isCostly = isCostly;
  }
}

const start = (thread: URL): ChildProcess =>
  fork(program, [thread.href], {
    serialization: 'advanced',
    execArgv: [],
    env: {},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

/** @returns when it has ended: whatever keeps it busy, nothing but this signal is sure to end it */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await ended;
}

/**
 * Renders texts in a separate process, one after another. It starts with the first text and is kept; one that exceeded
 * its limits is replaced.
 * @param thread another program to render with, for tests
 */
export function createBoundedRenderer(thread = usualThread) {
  let child: ChildProcess | null = null;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  const forget = () => {
    child = null;
  };

  async function make(markdown: string, rules: RichTextRules, findOwn: FindOwn): Promise<RichText> {
    if (isClosed) throw new Error('the renderer is closed');
    const current = child ?? start(thread).on('exit', forget).on('error', forget);
    child = current;
    const { promise, resolve, reject } = Promise.withResolvers<RichText>();
    const say = (message: ToRenderer) => current.send(message, (error) => error !== null && reject(error));
    const hear = (message: FromRenderer) => {
      if (message.kind === 'made') resolve(message.text);
      else if (message.kind === 'refused') reject(new TextRefused(message.reason, message.isCostly));
      else if (message.kind === 'find')
        Promise.resolve(findOwn(message.path)).then((place) => say({ kind: 'place', place }), reject);
    };
    const onExit = (code: number | null, signal: string | null) =>
      reject(
        signal === null || isClosed
          ? new Error(`the renderer ended with ${signal ?? code}`)
          : // V8 ends the process when memory is short in some places.
            new TextRefused(`ends its renderer with ${signal}`, true),
      );
    current.on('message', hear).on('error', reject).on('exit', onExit);
    current.ref();
    current.channel?.ref();
    say({ kind: 'render', markdown, rules });
    try {
      const text = await promise;
      current.off('message', hear).off('error', reject).off('exit', onExit);
      // An idle process must not keep the program running.
      current.unref();
      current.channel?.unref();
      return text;
    } catch (error) {
      // After any error its state is unknown.
      await end(current);
      throw error;
    }
  }

  return {
    /**
     * @param findOwn finds the page of a path of this site in the text's language
     * @throws TextRefused; what `findOwn` throws
     */
    render(
      markdown: string,
      rules: RichTextRules,
      findOwn: FindOwn = (path) => ({ href: path }),
    ): Promise<RichText> {
      const turn = last.then(() => make(markdown, rules, findOwn));
      last = turn.catch(() => {});
      return turn;
    },
    /** Ends its process; texts that are not made yet are rejected. */
    async close() {
      isClosed = true;
      if (child !== null) await end(child);
    },
  };
}
