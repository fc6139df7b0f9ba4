import { type FfmpegPrograms, spawnFfmpeg } from '../media/ffmpeg-process.ts';
import { type FedFfmpeg, throughFfmpeg } from '../media/ffmpeg-stream.ts';
import { EncodingLimits } from '../media/mp3/bounded-encode.ts';

/** An ffmpeg that makes videos. */
export interface VideoTools extends FfmpegPrograms {
  /** The option for variable frame rate in this version: newer versions have dropped the older name. */
  readonly rateOption: 'fps_mode' | 'vsync';
}

/** A sound that ffmpeg can be trusted with: bytes of one stream, without an address or a container around it. */
interface SoundInput {
  readonly format: 'mp3' | 'aac';
  readonly bytes: AsyncIterable<Uint8Array>;
}

export const quietly = ['-hide_banner', '-nostdin', '-loglevel', 'error'] as const;

const soundLimitMs = 300_000;
const soundMemoryBytes = 256 * 2 ** 20;

/** A sound as ADTS frames of AAC LC, in stereo at 128 kbit/s. @param rate Hz @throws Failure, or the signal's reason */
export function convertToAac(
  tools: FfmpegPrograms,
  { format, bytes }: SoundInput,
  rate: number,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const args = [
    ...quietly,
    ...['-threads', '1', '-protocol_whitelist', 'pipe', '-f', format, '-i', 'pipe:0'],
    ...['-map', '0:a:0', '-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '128k', '-ar', `${rate}`, '-ac', '2'],
    ...['-map_metadata', '-1', '-f', 'adts', 'pipe:1'],
  ];
  return {
    [Symbol.asyncIterator]() {
      const bounds = { cpuMs: soundLimitMs, memoryBytes: soundMemoryBytes, fileBytes: 0 };
      const child = spawnFfmpeg<FedFfmpeg>(tools, args, bounds, ['pipe', 'pipe', 'pipe']);
      return throughFfmpeg(child, bytes, new EncodingLimits(signal, soundLimitMs));
    },
  };
}
