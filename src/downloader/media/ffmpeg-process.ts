import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** The programs that an `ffmpeg` process is started with; see `findFfmpeg`. */
export interface FfmpegPrograms {
  /** Absolute path. */
  readonly ffmpegPath: string;
  /** Absolute path of util-linux's `prlimit`; null where it does not exist (macOS). */
  readonly prlimitPath: string | null;
}

/** Kernel limits of one process, which hold even after this process has died. */
export interface FfmpegBounds {
  /** CPU limit of all its threads together. */
  readonly cpuMs: number;
  /** Shared libraries not included. */
  readonly memoryBytes: number;
  /** Size limit of each file that it writes. */
  readonly fileBytes: number;
}

export type FfmpegChild = ChildProcess & {
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

const maxStderrBytes = 4096;
/** How long a process may take to exit after SIGTERM. */
const graceMs = 1000;

/** Starts an `ffmpeg`. @param files its file descriptors from 0 on; 1 and 2 are pipes */
export function spawnFfmpeg<Child extends FfmpegChild>(
  { ffmpegPath, prlimitPath }: FfmpegPrograms,
  args: readonly string[],
  { cpuMs, memoryBytes, fileBytes }: FfmpegBounds,
  files: readonly ('pipe' | number)[],
): Child {
  const bounds = [
    `--cpu=${Math.ceil(cpuMs / 1000)}`,
    `--data=${memoryBytes}`,
    `--fsize=${fileBytes}`,
    '--nofile=64',
    '--core=0',
  ];
  const [command, all]: [string, string[]] =
    prlimitPath === null ? [ffmpegPath, [...args]] : [prlimitPath, [...bounds, '--', ffmpegPath, ...args]];
  // Its own group: a signal to our group (Ctrl-C) must not reach it before we have informed the visitor.
  return spawn(command, all, { stdio: [...files], detached: true, env: { LC_ALL: 'C' } }) as Child;
}

/** Collects how a process ends. Resolves `closed` when it is reaped and its pipes are closed. */
export function processEnd(child: FfmpegChild): { closed: Promise<void>; problem(): string | null } {
  let stderr = '';
  let error: Error | null = null;
  let code: number | null = null;
  let killedBy: string | null = null;
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < maxStderrBytes)
      stderr += chunk.toString('latin1').slice(0, maxStderrBytes - stderr.length);
  });
  const closed = new Promise<void>((resolve) => {
    child.on('error', (cause) => {
      error = cause;
      // A process that never started has no 'close'.
      if (child.pid === undefined) resolve();
    });
    child.on('close', (exitCode, exitSignal) => {
      code = exitCode;
      killedBy = exitSignal;
      resolve();
    });
  });
  const problem = () => {
    if (error !== null) return `ffmpeg: ${error.message}`;
    if (code === 0) return null;
    return `ffmpeg ended with ${killedBy ?? code}: ${stderr.trim().slice(-500)}`;
  };
  return { closed, problem };
}

/** Ends a process and everything it started: SIGTERM, and SIGKILL when that was not enough. */
export function terminate(child: FfmpegChild): void {
  child.stdin?.destroy();
  child.stdout.destroy();
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const send = (name: 'SIGTERM' | 'SIGKILL') => {
    try {
      process.kill(-pid, name);
    } catch (error) {
      // It ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  send('SIGTERM');
  const timer = setTimeout(() => send('SIGKILL'), graceMs);
  child.once('close', () => clearTimeout(timer));
}
