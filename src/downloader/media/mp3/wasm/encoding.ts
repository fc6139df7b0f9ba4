import { mp3Bitrate } from '../layout.ts';
import { fadeOut } from './fade-out.ts';
import type { Lame } from './lame-wasm.ts';
import type { ToEncoder } from './wasm-messages.ts';

/** Samples encoded at once: enough that the calls cost nothing, few enough that the first bytes leave early. */
const batch = 8192;

/** What comes out of a message: bytes of CBR frames, cut anywhere. */
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
    this.#lame.start({ ...message, bitrate: mp3Bitrate / 1000, batch });
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
    const rest = this.#begun ? [...this.#silence(missing), this.#lame.flush()] : [];
    this.#begun = false;
    this.#lame.end();
    return rest;
  }

  #encode(left: Float32Array, right: Float32Array): Encoded {
    const out: Encoded = [];
    for (let at = 0; at < left.length; at += batch) {
      const count = Math.min(batch, left.length - at);
      const { samples: into, left: l, right: r } = this.#lame.input();
      if (right.length > 0) into.set(right.subarray(at, at + count), r);
      into.set(left.subarray(at, at + count), l);
      out.push(this.#lame.encode(count));
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
