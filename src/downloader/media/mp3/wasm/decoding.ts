import type { decoder } from '@audio/decode-aac';
import { Failure } from '../../../../failures/failures.ts';
import { adtsFrameLength } from '../../adts.ts';
import type { AacConfig, FadeOut, SoundFacts } from '../../contracts.ts';
import { maybeParametricStereo, mp3Layout } from '../layout.ts';
import type { DecodingSettings, ToEncoder } from './wasm-messages.ts';

/** This build of FAAD2 gives parametric stereo as mono, and has no way to mix more than two channels. */
export function canFaadDecode(config: AacConfig): boolean {
  return config.channels <= 2 && !maybeParametricStereo(config);
}

/** How a sound is decoded for the mp3 that is made of it. */
export function decodingSettings(sound: SoundFacts, fade: FadeOut | null): DecodingSettings {
  const { sampleRate, channels, leftOutS } = mp3Layout(sound);
  const { config } = sound;
  const plainRate = config.objectType === 2 ? config.sampleRate : null;
  return { sampleRate, channels, plainRate, fade, leftOutS };
}

/** FAAD2 for one stream; `free` ends it. */
export type AacDecoder = Pick<Awaited<ReturnType<typeof decoder>>, 'decode' | 'free'>;

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
  readonly #decoder: AacDecoder;
  readonly #settings: DecodingSettings;
  readonly #send: Send;
  /** Samples at the start that are the filters' delay. */
  #late = 0;
  /** Those that were left out. */
  #leftOut = 0;
  /** Known from the first decoded frame on; 0 before it. */
  #inputRate = 0;
  #frameSamples = 0;
  /** Frames before the first decoded one. */
  #silentFrames = 0;
  #frames = 0;
  #decoded = 0;

  /**
   * @param decoder a new one, which `end` frees
   * @param send takes what is decoded: `start` with the first of it, and at the end `end`
   */
  constructor(decoder: AacDecoder, settings: DecodingSettings, send: Send) {
    this.#decoder = decoder;
    this.#settings = settings;
    this.#send = send;
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
      this.#frames++;
      // One at a time: of several, the decoder does not say which are broken. The first gives nothing, the second its
      // samples.
      const { channelData, sampleRate } = this.#decoder.decode(frame);
      const [first, second = first] = channelData;
      if (first !== undefined) this.#decoded++;
      if (this.#inputRate === 0) {
        if (first === undefined) {
          // The silence for them is held in memory.
          if (++this.#silentFrames > maxSilentFrames) throw new Error('no sound in the first frames');
          continue;
        }
        this.#begin(sampleRate, first.length);
      } else if (first !== undefined && sampleRate !== this.#inputRate)
        throw new Error(`sample rate became ${sampleRate}`);
      if (left.length === 0) {
        // Silence in the place of what gave none, so that every encoder gives each sample at the same time.
        filled = this.#silentFrames * this.#frameSamples;
        this.#silentFrames = 0;
        const room = filled + (lengths.length - index) * this.#frameSamples;
        left = new Float32Array(room);
        right = this.#settings.channels === 2 ? new Float32Array(room) : empty();
      }
      if (first !== undefined) left.set(first.subarray(0, this.#frameSamples), filled);
      if (second !== undefined && right.length > 0) right.set(second.subarray(0, this.#frameSamples), filled);
      filled += this.#frameSamples;
    }
    if (this.#late > 0 && left.length > 0) [left, right] = this.#onTime(left, right);
    this.#send({ type: 'samples', left, right }, [left.buffer, right.buffer]);
  }

  end(): void {
    this.#decoder.free();
    this.#send({ type: 'end', frames: this.#frames, decoded: this.#decoded, missing: this.#leftOut });
  }

  #onTime(left: Float32Array, right: Float32Array): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
    const count = Math.min(this.#late, left.length);
    this.#late -= count;
    this.#leftOut += count;
    return [left.slice(count), right.slice(count)];
  }

  #begin(inputRate: number, frameSamples: number): void {
    const { sampleRate: outputRate, channels, plainRate, fade, leftOutS } = this.#settings;
    this.#inputRate = inputRate;
    this.#frameSamples = frameSamples;
    this.#late = plainRate !== null && inputRate === 2 * plainRate ? filterDelay : 0;
    this.#send({ type: 'start', inputRate, outputRate, channels, fade, leftOutS });
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

/**
 * More than half of the frames must have been sound: FAAD2 makes nothing of nonsense and goes on.
 * @throws Failure `conversion_failed`
 */
export function requireSound({ frames, decoded }: { frames: number; decoded: number }): void {
  if (decoded === 0 || decoded < frames / 2 - 1) {
    throw new Failure('conversion_failed', { note: `${decoded} of ${frames} frames could be decoded` });
  }
}
