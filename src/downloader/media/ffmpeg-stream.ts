import type { Writable } from 'node:stream';
import { asFailure, Failure } from '../../failures/failures.ts';
import { type FfmpegChild, processEnd, terminate } from './ffmpeg-process.ts';
import { type EncodingLimits, feed } from './mp3/bounded-encode.ts';

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
