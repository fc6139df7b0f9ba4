import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { Failure } from '../../../../failures/failures.ts';
import { adtsFrameLength } from '../../adts.ts';
import type { AacConfig, AdtsSound, EncodeRequest, FadeOut, Mp3Encoder } from '../../contracts.ts';
import { EncodingLimits, encodingLimitMs, feed, RunningEncodings } from '../bounded-encode.ts';
import { canFaadDecode, decodingSettings, requireSound } from './decoding.ts';
import type { FromEncoder, ToDecoder } from './wasm-messages.ts';
import { WorkerPool } from './worker-pool.ts';

/** Settings of {@link WasmEncoder}. */
interface WasmOptions {
  /** Pairs of threads, and so encodings at once. */
  readonly workers: number;
  /** Time limit of a conversion, in ms; {@link encodingLimitMs} when left out. */
  readonly wallLimitMs?: number;
}

/** About a second of sound goes to the thread at once: the first bytes of mp3 come back after some 25 ms. */
const maxMessageBytes = 16 * 1024;
/** Messages in flight: the thread never waits for the next, and little is buffered. */
const maxUnderWay = 3;

/**
 * Encodes in pairs of worker threads with FAAD2 and LAME as WebAssembly; needs no installed program. This build has no
 * fast mode of LAME: `fast` has no effect.
 */
export class WasmEncoder implements Mp3Encoder {
  readonly name = 'wasm';
  readonly #pool: WorkerPool;
  readonly #wallLimitMs: number | undefined;
  readonly #running = new RunningEncodings();

  constructor({ workers, wallLimitMs }: WasmOptions) {
    this.#pool = new WorkerPool(new URL('./encode-worker.ts', import.meta.url), workers);
    this.#wallLimitMs = wallLimitMs;
  }

  /** Pairs of threads that exist now, idle ones included. */
  get threads(): number {
    return this.#pool.alive;
  }

  /** Pairs that are encoding now. */
  get busyThreads(): number {
    return this.#pool.busy;
  }

  /** Starts one pair of threads and loads the codecs, so that the first visitor need not wait for them. */
  warm(): Promise<void> {
    return this.#pool.warm();
  }

  canEncode(config: AacConfig): boolean {
    return canFaadDecode(config);
  }

  async *encode({ sound, fade, signal }: EncodeRequest): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    if (!this.canEncode(sound.config))
      throw new Failure('conversion_failed', { note: 'not a sound for FAAD2' });
    const limits = new EncodingLimits(signal, this.#wallLimitMs ?? encodingLimitMs(sound));
    yield* this.#running.count(limits, this.#encodeWithin(limits, sound, fade ?? null));
  }

  async *#encodeWithin(
    limits: EncodingLimits,
    sound: AdtsSound,
    fade: FadeOut | null,
  ): AsyncGenerator<Uint8Array> {
    const pooled = await this.#pool.acquire(limits.signal);
    let clean = false;
    // The thread may be deep in a loop that never ends: only ending it stops that.
    const discard = () => void this.#pool.discard(pooled);
    limits.signal.addEventListener('abort', discard, { once: true });
    const { worker, frames } = pooled;
    const messages: AsyncIterableIterator<FromEncoder[]> = on(worker, 'message', {
      signal: limits.signal,
      close: ['exit'],
    });
    const sender = new FrameSender(frames);
    try {
      await Promise.race([pooled.ready, limits.stopped]);
      sender.post({ type: 'start', ...decodingSettings(sound, fade) });
      const feeding = feed(sound.frames, limits, (chunk) => sender.send(chunk)).then(() =>
        sender.post({ type: 'end' }),
      );
      feeding.catch((error: unknown) => limits.stop(error));
      for await (const [message] of messages) {
        if (message === undefined || message.type === 'ready') continue;
        if (message.type === 'failed') throw new Failure('conversion_failed', { note: message.note });
        if (message.type === 'done') requireSound(message);
        if (message.bytes.length > 0) yield message.bytes;
        limits.signal.throwIfAborted();
        clean = message.type === 'done';
        if (clean) return;
        sender.taken();
      }
      throw new Failure('conversion_failed', { note: 'the thread has ended' });
    } catch (error) {
      limits.signal.throwIfAborted();
      throw error instanceof Failure ? error : new Failure('conversion_failed', { cause: error });
    } finally {
      limits.signal.removeEventListener('abort', discard);
      await messages.return?.();
      // The reader left early: the source must not be read further either.
      limits.stop(new Failure('conversion_cancelled'));
      if (clean) this.#pool.release(pooled);
      else await this.#pool.discard(pooled);
    }
  }

  async close(): Promise<void> {
    await this.#running.stop();
    await this.#pool.close();
  }
}

/** Sends messages to a thread during one encoding, with back-pressure. */
class FrameSender {
  readonly #frames: MessagePort;
  #wakeSender: (() => void) | null = null;
  #underWay = 0;

  constructor(frames: MessagePort) {
    this.#frames = frames;
  }

  post(message: ToDecoder): void {
    this.#frames.postMessage(message);
  }

  /** Hands over whole ADTS frames in small messages, no faster than their mp3 is taken. */
  async send(chunk: Uint8Array): Promise<void> {
    for (let at = 0, end = 0; at < chunk.length; at = end) {
      while (end < chunk.length && (end === at || end - at < maxMessageBytes)) {
        const length = adtsFrameLength(chunk, end);
        if (length === 0) throw new Failure('conversion_failed', { note: 'not whole ADTS frames' });
        end += length;
      }
      // `taken` frees one slot at a time and there is one sender, so one check is enough.
      if (this.#underWay >= maxUnderWay) await new Promise<void>((resolve) => (this.#wakeSender = resolve));
      this.#underWay++;
      // A copy: the chunk's buffer may be shared.
      const bytes = new Uint8Array(chunk.subarray(at, end));
      this.#frames.postMessage({ type: 'frames', bytes } satisfies ToDecoder, [bytes.buffer]);
    }
  }

  /** The reader took an `mp3` message. */
  taken(): void {
    this.#underWay--;
    this.#wakeSender?.();
    this.#wakeSender = null;
  }
}
