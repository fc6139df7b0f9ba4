import type { MessagePort } from 'node:worker_threads';
import type { FadeOut } from '../../contracts.ts';

/** Settings that the decoder needs before a stream's first frame. */
export interface DecodingSettings {
  /** Hz of what is encoded. */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Hz of a stream that says that it has no SBR; null for one with it. */
  readonly plainRate: number | null;
  readonly fade: FadeOut | null;
  /** The same as in an `Mp3Layout`. */
  readonly leftOutS: number;
}

/** Messages to the decoding thread: one encoding at a time, `start` first, then the sound, then `end`. */
export type ToDecoder =
  | ({ readonly type: 'start' } & DecodingSettings)
  /** Whole ADTS frames. */
  | { readonly type: 'frames'; readonly bytes: Uint8Array }
  | { readonly type: 'end' };

/** Samples of each channel, the same number; with one channel `right` is empty. */
interface Samples {
  readonly left: Float32Array<ArrayBuffer>;
  readonly right: Float32Array<ArrayBuffer>;
}

/** Messages from the decoding thread to the encoding one: `ready` once, one `samples` (perhaps empty) for each `frames`. */
export type ToEncoder =
  | { readonly type: 'ready' }
  | {
      readonly type: 'start';
      readonly inputRate: number;
      readonly outputRate: number;
      readonly channels: 1 | 2;
      readonly fade: FadeOut | null;
      /** The same as in an `Mp3Layout`. */
      readonly leftOutS: number;
    }
  | ({ readonly type: 'samples' } & Samples)
  /** `decoded` of `frames` gave sound; the others are silence. `missing` samples must be added at the end. */
  | { readonly type: 'end'; readonly frames: number; readonly decoded: number; readonly missing: number }
  | { readonly type: 'failed'; readonly note: string };

/** Messages from the encoding thread: `ready` once, one `mp3` (perhaps empty) for each `frames`, then `done` or `failed`. */
export type FromEncoder =
  | { readonly type: 'ready' }
  | { readonly type: 'mp3'; readonly bytes: Uint8Array }
  | { readonly type: 'done'; readonly bytes: Uint8Array; readonly frames: number; readonly decoded: number }
  | { readonly type: 'failed'; readonly note: string };

/** Start data of the encoding thread: the port that receives `ToDecoder`. */
export interface WorkerStart {
  readonly frames: MessagePort;
}

/** Start data of the decoding thread. */
export interface DecoderStart extends WorkerStart {
  readonly samples: MessagePort;
}
