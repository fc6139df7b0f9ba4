import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Drawing } from './drawing.ts';
import type { Drawn } from './drawing-process.ts';

/** Kept for the next picture; then its 60 MB go back. */
const idleMs = 10_000;
/** A hundred times what a picture takes. */
const limitMs = 20_000;
/** Pictures that wait for their turn; more are refused. */
const mostWaiting = 30;

/** Draws pictures. */
export interface Drawer {
  /**
   * @returns a PNG; null when too many are waiting already
   * @throws Error when it cannot be drawn
   */
  draw(drawing: Drawing): Promise<Buffer | null>;
  close(): void;
}

const program = fileURLToPath(new URL('./drawing-process.ts', import.meta.url));
const fonts = fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url));

function start(): ChildProcess {
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [],
    // The library reads fonts where this says, before anything else.
    env: { PATH: process.env.PATH, FONTCONFIG_FILE: fonts },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // Pages go before pictures, which are not kept waiting for good either: a tenth of a busy machine is theirs.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  child.channel?.unref();
  child.unref();
  return child;
}

/**
 * Draws in a process of its own, which is started for the first picture and ends when none is wanted: the site's own
 * process lets its picture library decode nothing but photographs (`open-image.ts`), and knows no fonts.
 */
export function createDrawer(): Drawer {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    child?.kill('SIGKILL');
    child = null;
  }

  function ask(drawing: Drawing): Promise<Drawn> {
    child ??= start();
    const asked = child;
    const { promise, resolve, reject } = Promise.withResolvers<Drawn>();
    const limit = setTimeout(() => reject(new Error(`not drawn in ${limitMs / 1000} s`)), limitMs);
    const onExit = () => reject(new Error('the drawing process ended'));
    asked.once('message', resolve);
    asked.once('exit', onExit);
    asked.once('error', reject);
    asked.send(drawing, (error) => {
      if (error !== null) reject(error);
    });
    return promise.finally(() => {
      clearTimeout(limit);
      asked.off('message', resolve);
      asked.off('exit', onExit);
      asked.off('error', reject);
    });
  }

  async function drawNow(drawing: Drawing): Promise<Buffer> {
    clearTimeout(idle);
    try {
      const drawn = await ask(drawing);
      if ('error' in drawn) throw new Error(drawn.error);
      return drawn.png;
    } catch (error) {
      // Whatever state it is in, the next picture gets a fresh one.
      end();
      throw error;
    } finally {
      idle = setTimeout(end, idleMs);
      idle.unref();
    }
  }

  return {
    async draw(drawing) {
      if (waiting >= mostWaiting) return null;
      waiting += 1;
      const mine = last.then(() => drawNow(drawing));
      last = mine.catch(() => {});
      try {
        return await mine;
      } finally {
        waiting -= 1;
      }
    },
    close() {
      clearTimeout(idle);
      end();
    },
  };
}
