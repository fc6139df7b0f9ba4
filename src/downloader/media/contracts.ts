/** The seams between reading a container, taking its sound out and encoding it. */

/** Reads bytes at an offset: the media reader's only view of a file, remote or not. */
export interface ByteSource {
  /** Total size in bytes; null until the first answer told it. */
  readonly size: number | null;
  /**
   * Exactly `length` bytes from `offset`, or fewer at the end of the file.
   * @throws Failure `media_unavailable`
   */
  read(offset: number, length: number, signal: AbortSignal): Promise<Buffer>;
  /** The bytes from `start` to `end` (exclusive; to the end of the file when null) as they arrive. */
  stream(start: number, end: number | null, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** What an AAC track's decoder configuration says (ISO/IEC 14496-3, AudioSpecificConfig). */
export interface AacConfig {
  /** 2 = LC, 5 = HE (SBR), 29 = HE v2 (SBR + parametric stereo). */
  readonly objectType: number;
  /** Hz, of the core stream. */
  readonly sampleRate: number;
  /** Hz after SBR; the same as `sampleRate` without it. */
  readonly outputSampleRate: number;
  /** Of the core stream; HE v2 is 1 here and stereo when decoded. */
  readonly channels: number;
}

/** The sound of a file as whole AAC frames, each with an ADTS header, and what is known before they arrive. */
export interface AdtsSound {
  readonly config: AacConfig;
  /** Seconds, from the container's own tables. */
  readonly durationS: number;
  /** Bytes of all ADTS frames, headers included; null when unknown before the end. */
  readonly bytes: number | null;
  readonly frames: AsyncIterable<Uint8Array>;
}

export interface EncodeRequest {
  readonly sound: AdtsSound;
  /** True under overload: LAME's fast mode. */
  readonly fast: boolean;
  readonly signal: AbortSignal;
}

/** Encodes AAC to MP3, 128 kbit/s CBR, without any tag. Ends its process or thread however the call ends. */
export interface Mp3Encoder {
  readonly name: 'ffmpeg' | 'wasm';
  /** False for a stream that this encoder would do badly. */
  canEncode(config: AacConfig): boolean;
  /** @throws Failure `conversion_failed`, `conversion_timeout`, or the signal's reason */
  encode(request: EncodeRequest): AsyncIterable<Uint8Array>;
  /** Ends idle workers. */
  close(): Promise<void>;
}
