import {
  CustomVideoEncoder,
  EncodedPacket,
  registerEncoder,
  type VideoCodec,
  type VideoSample,
} from 'mediabunny';
import { h264For, type Size } from '../../../video/video-plan.ts';

/** Bit rates of one encoder over a video that has to fit. */
export type Steering = ReturnType<typeof createSteering>;

interface SteeringFacts {
  /** Bits a second to begin with. */
  readonly bitrate: number;
  /** For all frames of the picture. */
  readonly budgetBytes: number;
  readonly durationS: number;
}

/** Corrections over a video. Each costs some encoders a key frame. */
const corrections = 16;
const leastStepS = 1;
/** How far the bit rate goes from the one at the beginning: an encoder that leaves bits needs none. */
const range = { least: 0.25, most: 4 };
/** An encoder's own error is made up for within these bounds. */
const trust = { least: 0.7, most: 1.4 };
/** Smaller changes are not worth a correction. */
const worthwhile = 0.02;

/**
 * Spreads what is left of a budget over what is left of a video, again and again: encoders miss the bit rate they are
 * given, by another share in each scene.
 */
export function createSteering({ bitrate: first, budgetBytes, durationS }: SteeringFacts) {
  const stepS = Math.max(leastStepS, durationS / corrections);
  let [bitrate, correctedS] = [first, 0];
  let [taken, asked, untilS] = [0, 0, 0];
  return {
    /** Notes a frame that was encoded. @param endS its end in the video */
    add(bytes: number, endS: number): void {
      taken += bytes;
      asked += (bitrate * Math.max(0, endS - untilS)) / 8;
      untilS = Math.max(untilS, endS);
    },
    /** The bit rate from a time on; null where it stays. */
    next(atS: number): number | null {
      const restS = durationS - untilS;
      if (atS - correctedS < stepS || untilS === 0 || restS <= 0) return null;
      correctedS = atS;
      const missed = Math.min(trust.most, Math.max(trust.least, asked / Math.max(1, taken)));
      const wanted = (Math.max(0, budgetBytes - taken) * 8 * missed) / restS;
      const next = Math.round(Math.min(first * range.most, Math.max(first * range.least, wanted)));
      if (Math.abs(next / bitrate - 1) < worthwhile) return null;
      bitrate = next;
      return next;
    },
  };
}

/** How a picture is encoded, besides what mediabunny says. */
interface Wanted {
  /** Larger pictures are scaled by the encoder, which keeps their colours: a canvas makes RGB of them. */
  readonly size: Size;
  /** Frames a second, by which encoders divide the bits: 30 where they do not know. */
  readonly framerate: number;
  /** Null for a bit rate that stays. */
  readonly steering: Steering | null;
}

/** For the video that is being encoded; null for an encoder of mediabunny's. */
let present: Wanted | null = null;

/** Frames that wait at the encoder: more are memory only. */
const mostWaiting = 4;
const perS = 1e6;

/** The browser's H.264 encoder, which scales, with a bit rate that is corrected on the way; mediabunny's own has neither. */
class SteeredEncoder extends CustomVideoEncoder {
  #encoder: VideoEncoder | null = null;
  /** Begins to encode, or goes on, with what differs from mediabunny's wish. */
  #configure: (changed: Partial<VideoEncoderConfig>) => void = () => {};
  #description: string | null = null;

  static override supports = (codec: VideoCodec): boolean => present !== null && codec === 'avc';

  override init(): void {
    if (present === null) throw new Error('an encoder of a video that is over');
    const { framerate, steering } = present;
    const { width, height } = present.size;
    const shown = { width, height, displayWidth: width, displayHeight: height };
    const config = { ...this.config, ...shown, framerate, codec: h264For(width, height) };
    this.#configure = (changed) => this.#encoder?.configure({ ...config, ...changed });
    this.#encoder = new VideoEncoder({
      output: (chunk, meta) => {
        steering?.add(chunk.byteLength, (chunk.timestamp + (chunk.duration ?? 0)) / perS);
        const description = meta?.decoderConfig?.description;
        if (description !== undefined) this.#compare(description);
        this.onPacket(EncodedPacket.fromEncodedChunk(chunk), meta);
      },
      error: (error) => this.onError(error),
    });
    this.#configure({});
  }

  /** An mp4 has one description of its picture. An encoder that begins anew with another one cannot be steered. */
  #compare(description: AllowSharedBufferSource): void {
    const bytes = ArrayBuffer.isView(description)
      ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
      : new Uint8Array(description);
    this.#description ??= bytes.join();
    if (bytes.join() !== this.#description)
      this.onError(new Error('the encoder has changed its description'));
  }

  override async encode(sample: VideoSample, options: VideoEncoderEncodeOptions): Promise<void> {
    const encoder = this.#encoder;
    if (encoder === null) return;
    const bitrate = present?.steering?.next(sample.timestamp) ?? null;
    if (bitrate !== null) this.#configure({ bitrate });
    const frame = sample.toVideoFrame();
    encoder.encode(frame, options);
    frame.close();
    if (encoder.encodeQueueSize >= mostWaiting)
      await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
  }

  override async flush(): Promise<void> {
    await this.#encoder?.flush().catch((thrown: unknown) => this.onError(thrown));
  }

  override close(): void {
    if (this.#encoder?.state !== 'closed') this.#encoder?.close();
  }
}

registerEncoder(SteeredEncoder);

/** Encodes a video as is wanted. */
export async function steered<Value>(wanted: Wanted, encode: () => Promise<Value>): Promise<Value> {
  present = wanted;
  try {
    return await encode();
  } finally {
    present = null;
  }
}
