import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Drawing } from './draw.ts';
import type { Drawn } from './drawing-process.ts';

/** How long the process waits for the next picture; then its 60 MB are freed. */
const idleMs = 10_000;
/** A hundred times what a picture takes. */
const limitMs = 20_000;
/** Queue limit; further pictures are refused. */
const mostWaiting = 30;

const program = fileURLToPath(new URL('./drawing-process.ts', import.meta.url));
const fonts = fileURLToPath(new URL('./fonts/fonts.conf', import.meta.url));

function start(): ChildProcess {
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [],
    // The library reads this setting for fonts before anything else.
    env: { PATH: process.env.PATH, FONTCONFIG_FILE: fonts },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // Pages have priority over pictures, but not absolutely: pictures get a tenth of a busy machine.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  child.channel?.unref();
  child.unref();
  return child;
}

/**
 * Draws in a separate process, which starts with the first picture and ends when idle: the site's own process restricts
 * its picture library to photographs (`open-image.ts`), without fonts.
 */
export function createDrawer() {
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
      // Its state is unknown, so the next picture gets a fresh process.
      end();
      throw error;
    } finally {
      idle = setTimeout(end, idleMs);
      idle.unref();
    }
  }

  return {
    /** @returns a PNG; null when the queue is full @throws Error when it cannot be drawn */
    async draw(drawing: Drawing) {
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

/** Draws pictures. */
export type Drawer = ReturnType<typeof createDrawer>;
