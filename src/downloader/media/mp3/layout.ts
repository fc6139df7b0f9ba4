import type { AacConfig, SoundFacts } from '../contracts.ts';
import { samplesPerFrame } from '../mp4/sound-track.ts';

/**
 * Bits per second of every mp3 that is made here, one of `bitrates`. Encoders, sizes, labels and the names of kept files
 * follow; CONTRIBUTING.md names the texts and tests that do not.
 */
export const mp3Bitrate = 128_000;
/** Samples in a layer III frame of MPEG-1. */
const samplesPerMp3Frame = 1152;
/** Samples of silence that LAME puts before the first one (`ENCDELAY` in LAME 3.100). */
const lameDelay = 576;
/** LAME leaves at least as many samples after the last one. */
const lameMinPadding = 576;

/** Bit patterns of the sample rates of MPEG-1 layer III (ISO/IEC 11172-3, 2.4.2.3); others are resampled. */
const rateIndexes: Readonly<Record<number, number>> = { 44100: 0, 48000: 1, 32000: 2 };
/** Its bit rates, in kbit/s, from index 1 on. */
export const bitrates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitrateIndex = bitrates.indexOf(mp3Bitrate / 1000) + 1;

/** The form of an mp3 before its first byte is made. */
export interface Mp3Layout {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Frames with sound, without the leading `Info` frame. */
  readonly frames: number;
  /** Bytes of those frames. */
  readonly audioBytes: number;
  /** Samples before the first that is heard: LAME's own delay and what the AAC encoder put there. */
  readonly delay: number;
  /** Samples after the last that is heard. */
  readonly padding: number;
  /**
   * Seconds at the start that are not encoded, since they are more than `delay` can say. Negative: so many of silence are
   * encoded before the first frame.
   */
  readonly leftOutS: number;
  /** Frames that the encoder makes after those with sound, since they are more than `padding` can say. */
  readonly surplus: number;
}

/** `delay` and `padding` have 12 bits. A frame of AAC at 8 kHz has 5645 samples at 44.1 kHz. */
const maxSilent = 4095;

/**
 * True when a mono core may carry parametric stereo (HE-AAC v2): signalled, or implied by SBR, which a stream of at
 * most 24 kHz may contain without signalling (ISO/IEC 14496-3, 1.6.6).
 */
export function maybeParametricStereo(config: AacConfig): boolean {
  return config.objectType === 29 || (config.channels === 1 && (config.objectType === 5 || maybeSbr(config)));
}

/** True when a stream that does not say so may have SBR: what is decoded then has twice its sample rate. */
export const maybeSbr = ({ objectType, sampleRate }: Pick<AacConfig, 'objectType' | 'sampleRate'>): boolean =>
  objectType === 2 && sampleRate <= 24_000;

/** The lowest sample rate that keeps all that a decoder may find in a stream. */
export const fullSampleRate = (config: AacConfig): number =>
  maybeSbr(config) ? 2 * config.sampleRate : config.outputSampleRate;

/**
 * The output format of every encoder here. MPEG-1 sample rates are kept, others become 44.1 kHz; mono stays mono (the
 * whole bit rate for one channel, half the CPU), more than two channels become two.
 */
export function mp3Layout({ config, frameCount, skipSamples, durationS }: SoundFacts): Mp3Layout {
  const sampleRate = config.outputSampleRate in rateIndexes ? config.outputSampleRate : 44100;
  const skippedS = skipSamples / config.outputSampleRate;
  const skipped = lameDelay + Math.round(skippedS * sampleRate);
  const isSaid = skippedS >= 0 && skipped <= maxSilent;
  const leftOutS = isSaid ? 0 : skippedS;
  const delay = isSaid ? skipped : lameDelay;
  const seconds = (frameCount * samplesPerFrame) / config.sampleRate - leftOutS;
  const made = frameCountFor(Math.round(seconds * sampleRate));
  const padding = made * samplesPerMp3Frame - delay - Math.round(durationS * sampleRate);
  const surplus = Math.max(0, Math.ceil((padding - maxSilent) / samplesPerMp3Frame));
  const frames = made - surplus;
  return {
    sampleRate,
    channels: config.channels === 1 && !maybeParametricStereo(config) ? 1 : 2,
    frames,
    audioBytes: bytesBefore(frames, sampleRate),
    delay,
    padding: Math.max(0, padding - surplus * samplesPerMp3Frame),
    leftOutS,
    surplus,
  };
}

/** Frames that LAME makes of so many samples: whole frames around its delay and padding (`lame_encode_flush`). */
function frameCountFor(samples: number): number {
  const rest = (samples + lameDelay) % samplesPerMp3Frame;
  const whole = (samples + lameDelay - rest) / samplesPerMp3Frame;
  return whole + (samplesPerMp3Frame - rest < lameMinPadding ? 2 : 1);
}

/**
 * Bytes of the first `frames` frames of a CBR stream. At 44.1 kHz a frame has 417.96 bytes: LAME makes the first 417
 * bytes long and each further one 417 or 418, by its running remainder (`slot_lag` in `lame_encode_mp3_frame`). For one
 * length in 25, the sum is one byte more than the exact value rounded down.
 */
export function bytesBefore(frames: number, sampleRate: number): number {
  if (frames === 0) return 0;
  const bytesTimesRate = (samplesPerMp3Frame / 8) * mp3Bitrate;
  const remainder = bytesTimesRate % sampleRate;
  const whole = (bytesTimesRate - remainder) / sampleRate;
  return frames * whole + Math.ceil(((frames - 1) * remainder) / sampleRate);
}

/** The four header bytes of a frame (ISO/IEC 11172-3, 2.4.1.3): MPEG-1 layer III, no checksum, our bit rate. */
export function mp3FrameHeader(
  { sampleRate, channels }: Pick<Mp3Layout, 'sampleRate' | 'channels'>,
  padded: boolean,
): Uint8Array {
  const rate = rateIndexes[sampleRate] ?? 0;
  const mode = channels === 1 ? 3 : 1;
  return Uint8Array.of(0xff, 0xfb, (bitrateIndex << 4) | (rate << 2) | (padded ? 2 : 0), (mode << 6) | 4);
}

/** A valid frame that sounds like nothing, as the frame number `index` of the stream. */
export function silentFrame(layout: Pick<Mp3Layout, 'sampleRate' | 'channels'>, index: number): Uint8Array {
  const size = bytesBefore(index + 1, layout.sampleRate) - bytesBefore(index, layout.sampleRate);
  const frame = new Uint8Array(size);
  frame.set(mp3FrameHeader(layout, size > bytesBefore(1, layout.sampleRate)));
  return frame;
}
