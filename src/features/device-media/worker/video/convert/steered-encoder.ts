import {
  CustomVideoEncoder,
  EncodedPacket,
  registerEncoder,
  type VideoCodec,
  type VideoSample,
} from 'mediabunny';
import type { Steering } from '../../../video/steering.ts';

/** The steering of the video that is being encoded; null for an encoder of mediabunny's. */
let present: Steering | null = null;

/** Frames that wait at the encoder: more are memory only. */
const mostWaiting = 4;
const perS = 1e6;

/** The browser's H.264 encoder with a bit rate that is corrected on the way, which mediabunny's own has not. */
class SteeredEncoder extends CustomVideoEncoder {
  #encoder: VideoEncoder | null = null;
  #description: string | null = null;

  static override supports = (codec: VideoCodec): boolean => present !== null && codec === 'avc';

  override init(): void {
    const steering = present;
    this.#encoder = new VideoEncoder({
      output: (chunk, meta) => {
        steering?.add(chunk.byteLength, (chunk.timestamp + (chunk.duration ?? 0)) / perS);
        const description = meta?.decoderConfig?.description;
        if (description !== undefined) this.#compare(description);
        this.onPacket(EncodedPacket.fromEncodedChunk(chunk), meta);
      },
      error: (error) => this.onError(error),
    });
    this.#encoder.configure(this.config);
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
    const bitrate = present?.next(sample.timestamp) ?? null;
    if (bitrate !== null) encoder.configure({ ...this.config, bitrate });
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

/** Encodes a video with a steered bit rate. @param steering null for one that stays */
export async function steered<Value>(
  steering: Steering | null,
  encode: () => Promise<Value>,
): Promise<Value> {
  present = steering;
  try {
    return await encode();
  } finally {
    present = null;
  }
}
