import type { Writable } from 'node:stream';
import type { ByteReader } from '../network/contracts.ts';
import { releaseChunk } from '../network/memory.ts';

/** A file that is passed on. */
export interface RelayedFlow extends ByteReader {
  /** How often the platform closed the connection and the download resumed. */
  readonly resumes: number;
}

/** How a download ended. */
export interface RelayResult {
  /** `left`: the client left, or the rest is not needed. `broken`: the file could not be completed. */
  readonly outcome: 'complete' | 'left' | 'broken';
  /** Bytes handed to the target. */
  readonly bytes: number;
  /** How often the platform closed the connection and the download resumed. */
  readonly resumes: number;
  readonly error: unknown;
}

interface RelayOptions {
  readonly flow: RelayedFlow;
  /** Done with a chunk when it calls back: the chunk's memory is given back then. */
  readonly target: Writable;
  /** A client that takes hardly any bytes for this long is given up ({@link ClientPace}). */
  readonly targetIdleMs?: number | undefined;
  /** Aborts when the rest is not needed. */
  readonly signal: AbortSignal;
}

/**
 * Bytes that may wait in the target before the platform is held back. Less than a server response's own mark of 64 kB:
 * the kernel buffers megabytes for each client anyway, and hundreds of clients wait at once.
 */
const holdAboveBytes = 8 * 1024;

/**
 * Passes a file on to a target at the target's pace, chunk by chunk. A file that cannot be completed destroys the
 * target and never ends it cleanly. Never rejects.
 */
export function relay({ flow, target, targetIdleMs, signal }: RelayOptions): Promise<RelayResult> {
  const done = Promise.withResolvers<RelayResult>();
  let bytes = 0;
  let isSettled = false;
  let isEnding = false;
  /** Set while the platform is held back until the target has room. */
  let room: PromiseWithResolvers<void> | null = null;

  const settle = (outcome: RelayResult['outcome'], error: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    pace.end();
    signal.removeEventListener('abort', onAbort);
    target.off('close', onClose).off('finish', onFinish);
    if (outcome !== 'complete') {
      flow.stop();
      target.destroy();
    }
    room?.resolve();
    done.resolve({ outcome, bytes, resumes: flow.resumes, error });
  };
  const onFinish = (): void => settle(isEnding ? 'complete' : 'left', null);
  const onClose = (): void => settle('left', null);
  const onAbort = (): void => settle('left', signal.reason);
  const pace = new ClientPace({
    ...(targetIdleMs !== undefined && { windowMs: targetIdleMs }),
    isWaiting: () => isEnding || room !== null,
    tooSlow: () => settle('left', new Error('the client hardly took anything for too long')),
  });

  async function pass(): Promise<void> {
    for (let chunk = await flow.next(); chunk !== null && !isSettled; chunk = await flow.next()) {
      write(chunk);
      if (target.writableLength <= holdAboveBytes) continue;
      room = Promise.withResolvers();
      await room.promise;
    }
    if (isSettled) return;
    isEnding = true;
    target.end();
  }

  function write(chunk: Buffer): void {
    const { length } = chunk;
    bytes += length;
    target.write(chunk, () => {
      pace.took(length);
      releaseChunk(chunk);
      if (room === null || target.writableLength > holdAboveBytes) return;
      room.resolve();
      room = null;
    });
  }

  target
    .on('close', onClose)
    .on('error', (error) => settle('left', error))
    .on('finish', onFinish);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  else if (target.destroyed) onClose();
  else pass().catch((error: unknown) => settle('broken', error));
  return done.promise;
}

interface ClientPaceOptions {
  /** Time spent waiting for the client, in ms, after which its pace is looked at. */
  readonly windowMs?: number;
  /** Whether it is the client that everything waits for now. */
  readonly isWaiting: () => boolean;
  /** Called once. */
  readonly tooSlow: () => void;
}

/** Kernel buffers let a slow client look idle for a minute and more. */
const defaultWindowMs = 300_000;
/** Bytes that it must have taken by then, 220 a second: a tenth of the slowest phone's rate. */
const leastBytes = 64 * 1024;
const looksInWindow = 20;

/**
 * Distinguishes a client that does not read from one that is slow. Time counts while bytes wait for the client, and
 * never while bytes are awaited; bytes that the client takes always count.
 */
export class ClientPace {
  readonly #options: ClientPaceOptions;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #looks = 0;

  constructor(options: ClientPaceOptions) {
    this.#options = options;
    this.#timer = setInterval(this.#look, (options.windowMs ?? defaultWindowMs) / looksInWindow);
  }

  /** The client took so many bytes. */
  took(bytes: number): void {
    this.#bytes += bytes;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  readonly #look = (): void => {
    const { isWaiting, tooSlow } = this.#options;
    if (isWaiting()) this.#looks += 1;
    if (this.#looks < looksInWindow) return;
    if (this.#bytes < leastBytes) {
      this.end();
      tooSlow();
    }
    this.#looks = 0;
    this.#bytes = 0;
  };
}
