import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { asFailure, Failure } from '../../failures/failures.ts';
import { type EncodingLimits, feed } from './mp3/bounded-encode.ts';

/** The programs that an `ffmpeg` process is started with; see `findFfmpeg`. */
export interface FfmpegPrograms {
  /** Absolute path. */
  readonly ffmpegPath: string;
  /** Absolute path of util-linux's `prlimit`; null where it does not exist (macOS). */
  readonly prlimitPath: string | null;
}

/** Kernel limits of one process, which hold even after this process has died. */
interface FfmpegBounds {
  /** CPU limit of all its threads together. */
  readonly cpuMs: number;
  /** Shared libraries not included. */
  readonly memoryBytes: number;
  /** Size limit of each file that it writes. */
  readonly fileBytes: number;
}

type FfmpegChild = ChildProcess & {
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

/** A process that reads what we write to it. */
export type FedFfmpeg = FfmpegChild & { readonly stdin: Writable };

/**
 * Pipes bytes through a process. The process ends and the limits are released however the iteration ends.
 * @throws Failure `conversion_failed`, what the bytes throw, or the reason of the limits
 */
export async function* throughFfmpeg(
  child: FedFfmpeg,
  bytes: AsyncIterable<Uint8Array>,
  limits: EncodingLimits,
): AsyncGenerator<Buffer> {
  const ended = processEnd(child);
  const kill = () => terminate(child);
  limits.signal.addEventListener('abort', kill, { once: true });
  // A source that fails ends the process; the reason is what the reader of stdout gets.
  const feeding = feedStdin(child, bytes, limits);
  feeding.catch((error: unknown) => limits.stop(error));
  try {
    yield* output(child, limits);
    await ended.closed;
    limits.signal.throwIfAborted();
    await feeding;
    const problem = ended.problem();
    if (problem !== null) throw new Failure('conversion_failed', { note: problem });
  } finally {
    limits.signal.removeEventListener('abort', kill);
    // The reader left early: the source must not be read further either.
    limits.stop(new Failure('conversion_cancelled'));
    terminate(child);
    await ended.closed;
    limits.release();
  }
}

async function feedStdin(
  child: FedFfmpeg,
  bytes: AsyncIterable<Uint8Array>,
  limits: EncodingLimits,
): Promise<void> {
  // A process that ended early (EPIPE) says why by its exit status.
  let broken = false;
  child.stdin.on('error', () => {
    broken = true;
  });
  await feed(bytes, limits, async (chunk) => {
    if (!broken && !child.stdin.destroyed && !child.stdin.write(chunk)) await writable(child.stdin);
  });
  child.stdin.end();
}

/** Resolves when a pipe takes more, or never will. */
function writable(pipe: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      pipe.off('drain', done).off('close', done);
      resolve();
    };
    pipe.on('drain', done).on('close', done);
  });
}

/** The process's output; for a stopped process, its error is the reason for the stop instead of "premature close". */
async function* output(child: FedFfmpeg, limits: EncodingLimits): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      limits.signal.throwIfAborted();
      yield chunk;
    }
  } catch (error) {
    limits.signal.throwIfAborted();
    throw asFailure(error, 'conversion_failed');
  }
}
