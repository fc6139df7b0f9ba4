import type { WasmMediaEncoder } from 'wasm-media-encoders';
import type { FadeOut } from '../../contracts.ts';
import { mp3Bitrate } from '../layout.ts';
import type { ToEncoder } from './wasm-messages.ts';

/**
 * Fades samples out linearly; later samples are silent.
 * @returns a function that changes both channels in place; it must get all samples in order
 */
export function fadeOut(
  fade: FadeOut | null,
  sampleRate: number,
): (left: Float32Array, right: Float32Array) => void {
  if (fade === null) return () => {};
  const start = fade.startS * sampleRate;
  const length = Math.max(1, fade.lengthS * sampleRate);
  let at = 0;
  return (left, right) => {
    const count = left.length;
    for (let n = Math.max(0, Math.ceil(start - at)); n < count; n++) {
      const gain = Math.max(0, 1 - (at + n - start) / length);
      left[n] = (left[n] ?? 0) * gain;
      if (right.length > 0) right[n] = (right[n] ?? 0) * gain;
    }
    at += count;
  };
}

/** LAME, for one stream after the other. */
export type Lame = Pick<WasmMediaEncoder<'audio/mpeg'>, 'configure' | 'encode' | 'finalize'>;

/** Samples encoded at once: enough that the calls cost nothing, few enough that the first bytes leave early. */
const batch = 8192;

/** The output for a message: bytes of CBR frames, cut anywhere. */
type Encoded = Uint8Array<ArrayBuffer>[];

/** One stream after the other through LAME: samples in, CBR frames out. */
export class Encoding {
  readonly #lame: Lame;
  /** Whether LAME has a stream; samples that come before are none. */
  #begun = false;
  #channels: 1 | 2 = 2;
  /** Samples still to be left out; negative: of silence still to be put before all. */
  #leftOut = 0;
  #fade: (left: Float32Array, right: Float32Array) => void = () => {};

  constructor(lame: Lame) {
    this.#lame = lame;
  }

  start(message: Extract<ToEncoder, { type: 'start' }>): void {
    this.#begun = true;
    this.#channels = message.channels;
    this.#fade = fadeOut(message.fade, message.inputRate);
    this.#leftOut = Math.round(message.leftOutS * message.inputRate);
    const { channels, inputRate, outputRate } = message;
    const rates = { bitrate: mp3Bitrate / 1000, outputSampleRate: outputRate };
    // The compiler knows the rates as numbers; LAME throws for one that it does not have.
    this.#lame.configure({ channels, sampleRate: inputRate, ...rates } as Parameters<Lame['configure']>[0]);
  }

  /** Encodes samples, which fade in their place. */
  samples({ left, right }: { left: Float32Array; right: Float32Array }): Encoded {
    this.#fade(left, right);
    const before = this.#silence(-this.#leftOut);
    const leftOut = Math.max(0, this.#leftOut);
    const from = Math.min(leftOut, left.length);
    this.#leftOut = leftOut - from;
    return [...before, ...this.#encode(left.subarray(from), right.subarray(from))];
  }

  /** @param missing samples to be added at the end */
  end(missing: number): Encoded {
    const rest = this.#begun ? [...this.#silence(missing), this.#lame.finalize().slice()] : [];
    this.#begun = false;
    return rest;
  }

  #encode(left: Float32Array, right: Float32Array): Encoded {
    const out: Encoded = [];
    for (let at = 0; at < left.length; at += batch) {
      const channels = [left, right].slice(0, this.#channels);
      // A copy: LAME writes into the same memory again.
      out.push(this.#lame.encode(channels.map((one) => one.subarray(at, at + batch))).slice());
    }
    return out;
  }

  #silence(count: number): Encoded {
    const out: Encoded = [];
    // It may last for minutes: not in memory.
    for (let left = count; left > 0; left -= batch) {
      const none = new Float32Array(Math.min(batch, left));
      out.push(...this.#encode(none, this.#channels === 2 ? none : new Float32Array(0)));
    }
    return out;
  }
}
