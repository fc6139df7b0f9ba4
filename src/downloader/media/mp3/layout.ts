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
/** The same of its bit rates, in kbit/s, from 1 on. */
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
}

/**
 * True when a mono core may carry parametric stereo (HE-AAC v2): said so, or SBR without saying, which a stream of at
 * most 24 kHz may contain (ISO/IEC 14496-3, 1.6.6: implicit signalling).
 */
export function maybeParametricStereo({ objectType, sampleRate, channels }: AacConfig): boolean {
  return objectType === 29 || (channels === 1 && (objectType === 5 || sampleRate <= 24_000));
}

/**
 * The form that every encoder here must give the sound. The rates of MPEG-1 are kept, others become 44.1 kHz; mono stays
 * mono (the whole bit rate for one channel, half the work), more than two channels become two.
 */
export function mp3Layout({ config, frameCount, skipSamples, durationS }: SoundFacts): Mp3Layout {
  const sampleRate = config.outputSampleRate in rateIndexes ? config.outputSampleRate : 44100;
  const seconds = (frameCount * samplesPerFrame) / config.sampleRate;
  const samples = Math.round(seconds * sampleRate);
  const frames = frameCountFor(samples);
  const delay = Math.min(4095, lameDelay + Math.round((skipSamples / config.outputSampleRate) * sampleRate));
  const padding = frames * samplesPerMp3Frame - delay - Math.round(durationS * sampleRate);
  return {
    sampleRate,
    channels: config.channels === 1 && !maybeParametricStereo(config) ? 1 : 2,
    frames,
    audioBytes: bytesBefore(frames, sampleRate),
    delay,
    padding: Math.max(0, Math.min(4095, padding)),
  };
}

/** Frames that LAME makes of so many samples: whole frames around its delay and padding (`lame_encode_flush`). */
function frameCountFor(samples: number): number {
  const rest = (samples + lameDelay) % samplesPerMp3Frame;
  const whole = (samples + lameDelay - rest) / samplesPerMp3Frame;
  return whole + (samplesPerMp3Frame - rest < lameMinPadding ? 2 : 1);
}

/**
 * Bytes of the first `frames` frames of a CBR stream. At 44.1 kHz a frame is 417.96 bytes: LAME makes the first one 417
 * and each further one 417 or 418, as its running remainder (`slot_lag` in `lame_encode_mp3_frame`) tells. The sum is
 * one byte more than the exact value rounded down for one length in 25.
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
): Buffer {
  const rate = rateIndexes[sampleRate] ?? 0;
  const mode = channels === 1 ? 3 : 1;
  return Buffer.from([0xff, 0xfb, (bitrateIndex << 4) | (rate << 2) | (padded ? 2 : 0), (mode << 6) | 4]);
}

/** A valid frame that sounds like nothing, as the frame number `index` of the stream. */
export function silentFrame(layout: Pick<Mp3Layout, 'sampleRate' | 'channels'>, index: number): Buffer {
  const size = bytesBefore(index + 1, layout.sampleRate) - bytesBefore(index, layout.sampleRate);
  const frame = Buffer.alloc(size);
  mp3FrameHeader(layout, size > bytesBefore(1, layout.sampleRate)).copy(frame);
  return frame;
}
