import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { asFailure, Failure } from '../../../failures/failures.ts';
import type { AacConfig, AdtsSound, EncodeRequest, FadeOut, Mp3Encoder } from '../contracts.ts';
import { EncodingLimits, encodingLimitMs, feed } from './bounded-encode.ts';
import { type Mp3Layout, mp3Bitrate, mp3Layout } from './layout.ts';

/** Settings of {@link FfmpegEncoder}. */
interface FfmpegOptions {
  /** Absolute path of the program; see `findFfmpeg`. */
  readonly ffmpegPath: string;
  /** Absolute path of util-linux's `prlimit`; null where there is none (macOS). */
  readonly prlimitPath: string | null;
  /** After so long a conversion is given up, in ms; {@link encodingLimitMs} when left out. */
  readonly wallLimitMs?: number;
  /** Bytes of memory of one process, shared libraries not included. */
  readonly memoryLimitBytes?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const maxStderrBytes = 4096;
/** An hour of sound takes 54 MB, as much as a second of it. */
const defaultMemoryLimitBytes = 512 * 2 ** 20;
/** How long a process may take to end by itself after SIGTERM. */
const graceMs = 1000;
/** LAME's quality scale, 0 (best) to 9. 4 sounds like LAME's own default 3 and takes 0.83 of its time. */
const quality = 4;
const fastQuality = 7;
/** Bits per second of AAC that is made here. */
const aacBitrate = 128_000;

/**
 * Encodes with an `ffmpeg` process. It gets ADTS frames on stdin, and neither an address nor a container, so that it
 * cannot be made to open anything.
 */
export class FfmpegEncoder implements Mp3Encoder {
  readonly name = 'ffmpeg';
  readonly #options: FfmpegOptions;
  readonly #running = new Map<EncodingLimits, Promise<void>>();

  constructor(options: FfmpegOptions) {
    this.#options = options;
  }

  /** Everything that the reader lets through: it decodes HE-AAC in both versions, also when the stream does not say so. */
  canEncode(_config: AacConfig): boolean {
    return true;
  }

  encode(request: EncodeRequest): AsyncGenerator<Uint8Array> {
    const { sound, fast } = request;
    return this.#run(request, mp3Arguments(mp3Layout(sound), fast), (bytes) => requireSound(bytes, sound));
  }

  encodeAac(request: EncodeRequest): AsyncGenerator<Uint8Array> {
    return this.#run(request, aacArguments(mp3Layout(request.sound), request.sound.config), () => {});
  }

  /** @param check told how many bytes came out */
  async *#run(
    { sound, fade, signal }: EncodeRequest,
    output: readonly string[],
    check: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    const limitMs = this.#options.wallLimitMs ?? encodingLimitMs(sound);
    const limits = new EncodingLimits(signal, limitMs);
    const child = this.#spawn(ffmpegArguments(output, fade), limitMs);
    const ended = processEnd(child);
    this.#running.set(limits, ended.closed);
    const kill = () => terminate(child);
    limits.signal.addEventListener('abort', kill, { once: true });
    // A source that fails ends the process; the reason is what the reader of stdout gets.
    const feeding = feedStdin(child, sound, limits);
    feeding.catch((error: unknown) => limits.stop(error));
    try {
      let bytes = 0;
      for await (const chunk of outputOf(child, limits)) {
        bytes += chunk.length;
        yield chunk;
      }
      await ended.closed;
      limits.signal.throwIfAborted();
      await feeding;
      const problem = ended.problem();
      if (problem !== null) throw new Failure('conversion_failed', { note: problem });
      check(bytes);
    } finally {
      limits.signal.removeEventListener('abort', kill);
      // Left early by its reader: nothing more may be read from the source either.
      limits.stop(new Failure('conversion_cancelled'));
      terminate(child);
      await ended.closed;
      limits.release();
      this.#running.delete(limits);
    }
  }

  /** Every encoding is a process of its own: there is nothing to keep warm. */
  async warm(): Promise<void> {}

  async close(): Promise<void> {
    const closing = [...this.#running.values()];
    for (const limits of this.#running.keys()) limits.stop(new Failure('stopping'));
    await Promise.all(closing);
  }

  #spawn(args: string[], limitMs: number): Child {
    const { ffmpegPath, prlimitPath, memoryLimitBytes = defaultMemoryLimitBytes } = this.#options;
    // The kernel's own bounds hold also when this process is gone. It has one thread: CPU time is never above the wall's.
    const bounds = [
      `--cpu=${Math.ceil(limitMs / 1000)}`,
      `--data=${memoryLimitBytes}`,
      '--fsize=0',
      '--nofile=64',
      '--core=0',
    ];
    const [command, all]: [string, string[]] =
      prlimitPath === null ? [ffmpegPath, args] : [prlimitPath, [...bounds, '--', ffmpegPath, ...args]];
    // Its own group: a signal sent to ours (Ctrl-C) must not reach it before we have told the visitor.
    return spawn(command, all, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env: { LC_ALL: 'C' } });
  }
}

function mp3Arguments({ sampleRate, channels }: Mp3Layout, fast: boolean): string[] {
  const encoder = ['-c:a', 'libmp3lame', '-b:a', `${mp3Bitrate / 1000}k`];
  const level = ['-compression_level', `${fast ? fastQuality : quality}`];
  // The tag that ffmpeg writes to a pipe is invalid, and the header frame is ours.
  const bare = ['-id3v2_version', '0', '-write_id3v1', '0', '-write_xing', '0', '-f', 'mp3'];
  return ['-ar', `${sampleRate}`, '-ac', `${channels}`, ...encoder, ...level, ...bare];
}

function aacArguments({ channels }: Mp3Layout, { outputSampleRate }: AacConfig): string[] {
  const encoder = ['-c:a', 'aac', '-b:a', `${aacBitrate / 1000}k`, '-f', 'adts'];
  return ['-ar', `${outputSampleRate}`, '-ac', `${channels}`, ...encoder];
}

/** @param encoding what comes out */
function ffmpegArguments(encoding: readonly string[], fade: FadeOut | undefined): string[] {
  const input = ['-protocol_whitelist', 'pipe', '-f', 'aac', '-probesize', '32768', '-i', 'pipe:0'];
  const filter =
    fade === undefined
      ? []
      : ['-af', `afade=t=out:st=${fade.startS.toFixed(6)}:d=${fade.lengthS.toFixed(6)}`];
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-threads', '1'],
    ...[...input, '-map', '0:a:0', ...filter, '-map_metadata', '-1', ...encoding],
    // Half a second at a time: flushing each frame costs a system call and an event for every 418 bytes.
    ...['-flush_packets', '0', '-blocksize', '8192', 'pipe:1'],
  ];
}

/** Collects how a process ends. Resolves `closed` when it is reaped and its pipes are closed. */
function processEnd(child: Child): { closed: Promise<void>; problem(): string | null } {
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
function terminate(child: Child): void {
  child.stdin.destroy();
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

async function feedStdin(child: Child, sound: AdtsSound, limits: EncodingLimits): Promise<void> {
  // A process that ended early (EPIPE) says why by its exit status.
  let broken = false;
  child.stdin.on('error', () => {
    broken = true;
  });
  await feed(sound.frames, limits, async (chunk) => {
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

/** What the process writes; when it was stopped, the reason for that instead of "premature close". */
async function* outputOf(child: Child, limits: EncodingLimits): AsyncGenerator<Buffer> {
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

/** Less than half of what the tables promise is not the post's sound, whatever the exit status says. */
function requireSound(bytes: number, sound: AdtsSound): void {
  const { audioBytes } = mp3Layout(sound);
  if (sound.frameCount === 0 || bytes < audioBytes / 2) {
    throw new Failure('conversion_failed', { note: `${bytes} of ${audioBytes} bytes came out` });
  }
}
