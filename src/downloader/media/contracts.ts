/** The seams between reading a container, taking its sound out and encoding it. */

/** Reads bytes at an offset: the media reader's only view of a file, remote or not. */
export interface ByteSource {
  /** Total size in bytes; null until the first answer states it. */
  readonly size: number | null;
  /** False once its server has answered a range with the whole file: each read at an offset costs all before it. */
  readonly hasRanges: boolean;
  /**
   * Exactly `length` bytes from `offset`, or fewer at the end of the file.
   * @throws Failure `media_unavailable`
   */
  read(offset: number, length: number, signal: AbortSignal): Promise<Buffer>;
  /** The bytes from `start` to `end` (exclusive; to the end of the file when null) as they arrive. */
  stream(start: number, end: number | null, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** All bytes from the first, by one request without a range. */
  whole(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** An AAC track's decoder configuration (ISO/IEC 14496-3, AudioSpecificConfig). The core is always LC. */
export interface AacConfig {
  /** 2 = LC, 5 = HE (SBR), 29 = HE v2 (SBR + parametric stereo). */
  readonly objectType: 2 | 5 | 29;
  /** Hz, of the core stream. */
  readonly sampleRate: number;
  /** Hz after SBR; the same as `sampleRate` without it. */
  readonly outputSampleRate: number;
  /** Channels of the core stream, 1 to 6 or 8; HE v2 has 1 here and decodes to stereo. */
  readonly channels: number;
}

/** The properties of a sound that are known before its first frame arrives. */
export interface SoundFacts {
  readonly config: AacConfig;
  /** AAC frames, each of 1024 samples of the core stream. */
  readonly frameCount: number;
  /**
   * Samples at `outputSampleRate` to leave out at the start: the AAC encoder's delay, from the edit list. Negative: so many
   * of silence come before the first frame, since the sound begins later than the movie.
   */
  readonly skipSamples: number;
  /** Seconds that are heard: without what is skipped and without the padding of the last frame. */
  readonly durationS: number;
  /** Bytes of all ADTS frames, headers included. */
  readonly bytes: number;
}

/** The sound of a file as whole AAC frames, each with an ADTS header. */
export interface AdtsSound extends SoundFacts {
  /**
   * Chunks of one or more whole ADTS frames, in order; can be read once. One chunk per frame would cost more in the
   * event loop than copying does.
   */
  readonly frames: AsyncIterable<Uint8Array>;
}

/** The end of a sound, where it becomes silent step by step; in seconds from the first decoded sample on. */
export interface FadeOut {
  readonly startS: number;
  readonly lengthS: number;
}

export interface EncodeRequest {
  readonly sound: AdtsSound;
  readonly fade?: FadeOut | undefined;
  /** True under overload: LAME's fast mode, where the encoder has one. */
  readonly fast: boolean;
  readonly signal: AbortSignal;
}

/**
 * Encodes AAC to constant-bit-rate MP3 (`mp3Bitrate`), without tags. Every encoder puts the same samples at the same
 * place: all frames are decoded, an undecodable frame becomes silence, and silence that comes before them is made. Ends
 * its process or thread however the call ends.
 */
export interface Mp3Encoder {
  readonly name: 'ffmpeg' | 'wasm';
  /** False for a stream that this encoder would do badly. */
  canEncode(config: AacConfig): boolean;
  /** @throws Failure `conversion_failed`, `conversion_timeout`, or the signal's reason */
  encode(request: EncodeRequest): AsyncIterable<Uint8Array>;
  /** Encodes to AAC LC in ADTS frames, with 1024 priming samples; absent when unsupported. @throws as `encode` */
  encodeAac?(request: EncodeRequest): AsyncIterable<Uint8Array>;
  /** Loads what the first encoding would have to wait for. */
  warm(): Promise<void>;
  /** Ends idle workers. */
  close(): Promise<void>;
}
