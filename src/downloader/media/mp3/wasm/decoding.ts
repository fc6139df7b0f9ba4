import { adtsFrameLength } from '../../adts.ts';
import type { FadeOut } from '../../contracts.ts';
import type { DecodingSettings } from './decoding-settings.ts';
import type { DecodedFrame, Faad } from './faad-wasm.ts';
import type { ToEncoder } from './wasm-messages.ts';

/** Takes what was decoded; the buffers may be kept. */
type Send = (message: ToEncoder, transfer?: ArrayBuffer[]) => void;

const empty = () => new Float32Array(0);

/**
 * Where a stream of 24 kHz or less may carry SBR unannounced, FAAD2 doubles its rate with SBR's filters whether it does
 * or not, and they hold so many samples back (ISO/IEC 14496-3, 4.6.18.4). A stream without SBR must not come late.
 */
const filterDelay = 962;

/** Half a minute of frames that cannot be decoded at the beginning is no sound. */
const maxSilentFrames = 1024;

/** One stream through the decoder: ADTS frames in, samples out. */
export class Decoding {
  readonly #faad: Faad;
  readonly #send: Send;
  readonly #outputRate: number;
  readonly #channels: 1 | 2;
  readonly #plainRate: number | null;
  readonly #fade: FadeOut | null;
  readonly #leftOutS: number;
  /** Samples at the start that are the filters' delay. */
  #late = 0;
  /** Those that were left out. */
  #leftOut = 0;
  /** From the first decoded frame; 0 before it. */
  #inputRate = 0;
  #frameSamples = 0;
  /** Frames before the first decoded one. */
  #silentFrames = 0;
  #frames = 0;
  #decoded = 0;

  /** @param send takes what is decoded: `start` with the first of it, and at the end `end` */
  constructor(faad: Faad, { sampleRate, channels, plainRate, fade, leftOutS }: DecodingSettings, send: Send) {
    this.#faad = faad;
    this.#send = send;
    this.#outputRate = sampleRate;
    this.#channels = channels;
    this.#plainRate = plainRate;
    this.#fade = fade;
    this.#leftOutS = leftOutS;
  }

  /** Decodes whole ADTS frames and hands their samples on. */
  take(bytes: Uint8Array): void {
    const lengths = frameLengths(bytes);
    let left = empty();
    let right = empty();
    let filled = 0;
    let at = 0;
    for (const [index, length] of lengths.entries()) {
      const frame = bytes.subarray(at, at + length);
      at += length;
      if (this.#frames++ === 0) this.#faad.start(frame);
      const decoded = this.#faad.decode(frame);
      if (decoded !== null) this.#decoded++;
      if (this.#inputRate === 0) {
        if (decoded === null) {
          // The silence for them is held in memory.
          if (++this.#silentFrames > maxSilentFrames) throw new Error('no sound in the first frames');
          continue;
        }
        this.#begin(decoded);
      } else if (decoded !== null && decoded.sampleRate !== this.#inputRate)
        throw new Error(`sample rate became ${decoded.sampleRate}`);
      if (left.length === 0) {
        // Silence in the place of what gave none, so that every encoder gives each sample at the same time.
        filled = this.#silentFrames * this.#frameSamples;
        this.#silentFrames = 0;
        const room = filled + (lengths.length - index) * this.#frameSamples;
        left = new Float32Array(room);
        right = this.#channels === 2 ? new Float32Array(room) : empty();
      }
      if (decoded !== null) this.#spread(decoded, left, right, filled);
      filled += this.#frameSamples;
    }
    if (this.#late > 0 && left.length > 0) [left, right] = this.#onTime(left, right);
    this.#send({ type: 'samples', left, right }, [left.buffer, right.buffer]);
  }

  end(): void {
    this.#faad.end();
    this.#send({ type: 'end', frames: this.#frames, decoded: this.#decoded, missing: this.#leftOut });
  }

  #onTime(left: Float32Array, right: Float32Array): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
    const count = Math.min(this.#late, left.length);
    this.#late -= count;
    this.#leftOut += count;
    return [left.slice(count), right.slice(count)];
  }

  #begin({ sampleRate, samples }: DecodedFrame): void {
    this.#inputRate = sampleRate;
    this.#frameSamples = samples;
    this.#late = this.#plainRate !== null && sampleRate === 2 * this.#plainRate ? filterDelay : 0;
    const [outputRate, channels, fade, leftOutS] = [
      this.#outputRate,
      this.#channels,
      this.#fade,
      this.#leftOutS,
    ];
    this.#send({ type: 'start', inputRate: sampleRate, outputRate, channels, fade, leftOutS });
  }

  #spread(
    { heap, at, samples, channels }: DecodedFrame,
    left: Float32Array,
    right: Float32Array,
    to: number,
  ): void {
    const count = Math.min(samples, this.#frameSamples);
    if (this.#channels === 1) {
      for (let n = 0, from = at; n < count; n++, from += channels) left[to + n] = heap[from] ?? 0;
      return;
    }
    const second = channels > 1 ? 1 : 0;
    for (let n = 0, from = at; n < count; n++, from += channels) {
      left[to + n] = heap[from] ?? 0;
      right[to + n] = heap[from + second] ?? 0;
    }
  }
}

/** @throws Error when the bytes are not whole ADTS frames */
function frameLengths(bytes: Uint8Array): number[] {
  const lengths: number[] = [];
  for (let at = 0, length = 0; at < bytes.length; at += length) {
    length = adtsFrameLength(bytes, at);
    if (length === 0 || at + length > bytes.length) throw new Error('not whole ADTS frames');
    lengths.push(length);
  }
  return lengths;
}
