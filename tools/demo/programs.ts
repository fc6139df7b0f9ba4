import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program of the product that the demo runs. */
export interface Program {
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  stop(): void;
}

const fileOf = (name: string) => fileURLToPath(new URL(`../../src/app/${name}.js`, import.meta.url));

/** Starts the site or a converter. */
export function startProgram(name: 'web' | 'jobs', env: Environment): Program & { child: ChildProcess } {
  const child = spawn(process.execPath, [fileOf(name)], {
    stdio: 'inherit',
    // A separate group: Ctrl-C must reach it once, through us, since a second signal ends it at once.
    detached: true,
    env,
  });
  process.on('exit', () => child.kill('SIGKILL'));
  return {
    child,
    ended: once(child, 'exit').then(([code]) => code as number | null),
    stop: () => void child.kill('SIGTERM'),
  };
}

const againAfterMs = 1000;

/** Starts a program, and again whenever it ends, as a service manager does. */
export function keepRunning(name: 'web' | 'jobs', env: Environment): Program {
  let isStopping = false;
  let running = startProgram(name, env);
  async function watch(): Promise<number | null> {
    for (;;) {
      const code = await running.ended;
      if (isStopping) return code;
      await pause(againAfterMs);
      if (isStopping) return code;
      running = startProgram(name, env);
    }
  }
  return {
    ended: watch(),
    stop() {
      isStopping = true;
      running.stop();
    },
  };
}

const readyWithinMs = 30_000;

/** Waits until a site responds. @returns false when it did not in time, or ended before */
export async function isReady(origin: string, hasEnded: () => boolean = () => false): Promise<boolean> {
  const deadlineMs = performance.now() + readyWithinMs;
  while (!hasEnded() && performance.now() < deadlineMs) {
    const response = await fetch(`${origin}/readyz`).catch((error: unknown) => {
      // Not listening yet; any other error must surface.
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (response?.ok) return true;
    await pause(100);
  }
  return false;
}
