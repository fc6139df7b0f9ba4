import { Failure } from '../../../failures/failures.ts';
import type { AacConfig, AdtsSound, EncodeRequest, FadeOut, Mp3Encoder } from '../contracts.ts';
import { type FedFfmpeg, type FfmpegPrograms, spawnFfmpeg, throughFfmpeg } from '../ffmpeg-process.ts';
import { EncodingLimits, encodingLimitMs, RunningEncodings } from './bounded-encode.ts';
import { fullSampleRate, type Mp3Layout, mp3Bitrate, mp3Layout } from './layout.ts';

/** Settings of {@link FfmpegEncoder}. */
interface FfmpegOptions extends FfmpegPrograms {
  /** Time limit of a conversion, in ms; {@link encodingLimitMs} when left out. */
  readonly wallLimitMs?: number;
  /** Bytes of memory of one process, shared libraries not included. */
  readonly memoryLimitBytes?: number;
}

/** An hour of sound takes 54 MB, as much as a second of it. */
const defaultMemoryLimitBytes = 512 * 2 ** 20;
/** LAME's quality scale, 0 (best) to 9. 4 sounds like LAME's own default 3 and takes 0.83 of its time. */
const quality = 4;
const fastQuality = 7;
/** Bits per second of AAC that is made here. */
const aacBitrate = 128_000;

/**
 * Encodes with an `ffmpeg` process. It gets only ADTS frames on stdin, no address and no container, so that it cannot
 * be made to open anything.
 */
export class FfmpegEncoder implements Mp3Encoder {
  readonly name = 'ffmpeg';
  readonly #options: FfmpegOptions;
  readonly #running = new RunningEncodings();

  constructor(options: FfmpegOptions) {
    this.#options = options;
  }

  /** Everything that the reader lets through: it decodes HE-AAC in both versions, also when the stream does not say so. */
  canEncode(_config: AacConfig): boolean {
    return true;
  }

  encode(request: EncodeRequest): AsyncGenerator<Uint8Array> {
    const { sound, fast } = request;
    const layout = mp3Layout(sound);
    return this.#run(request, layout.leftOutS, mp3Arguments(layout, fast), (bytes) =>
      requireSound(bytes, sound),
    );
  }

  encodeAac(request: EncodeRequest): AsyncGenerator<Uint8Array> {
    const layout = mp3Layout(request.sound);
    const output = aacArguments(layout, request.sound.config);
    return this.#run(request, Math.min(0, layout.leftOutS), output, () => {});
  }

  /**
   * @param leftOutS as in {@link Mp3Layout}
   * @param check called with the number of output bytes
   */
  async *#run(
    { sound, fade, signal }: EncodeRequest,
    leftOutS: number,
    output: readonly string[],
    check: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    const limitMs = this.#options.wallLimitMs ?? encodingLimitMs(sound);
    const limits = new EncodingLimits(signal, limitMs);
    const child = this.#spawn(ffmpegArguments(output, fade, leftOutS), limitMs);
    let bytes = 0;
    for await (const chunk of this.#running.count(limits, throughFfmpeg(child, sound.frames, limits))) {
      bytes += chunk.length;
      yield chunk;
    }
    check(bytes);
  }

  /** Each encoding starts its own process, so there is nothing to warm up. */
  async warm(): Promise<void> {}

  close(): Promise<void> {
    return this.#running.stop();
  }

  #spawn(args: string[], limitMs: number): FedFfmpeg {
    const { memoryLimitBytes: memoryBytes = defaultMemoryLimitBytes } = this.#options;
    // It has one thread: CPU time is never above the wall's.
    const bounds = { cpuMs: limitMs, memoryBytes, fileBytes: 0 };
    return spawnFfmpeg<FedFfmpeg>(this.#options, args, bounds, ['pipe', 'pipe', 'pipe']);
  }
}

function mp3Arguments({ sampleRate, channels }: Mp3Layout, fast: boolean): string[] {
  const encoder = ['-c:a', 'libmp3lame', '-b:a', `${mp3Bitrate / 1000}k`];
  const level = ['-compression_level', `${fast ? fastQuality : quality}`];
  // The tag that ffmpeg writes to a pipe is invalid, and the header frame is ours.
  const bare = ['-id3v2_version', '0', '-write_id3v1', '0', '-write_xing', '0', '-f', 'mp3'];
  return ['-ar', `${sampleRate}`, '-ac', `${channels}`, ...encoder, ...level, ...bare];
}

function aacArguments({ channels }: Mp3Layout, config: AacConfig): string[] {
  const encoder = ['-c:a', 'aac', '-b:a', `${aacBitrate / 1000}k`, '-f', 'adts'];
  return ['-ar', `${fullSampleRate(config)}`, '-ac', `${channels}`, ...encoder];
}

/** @param encoding what comes out */
function ffmpegArguments(encoding: readonly string[], fade: FadeOut | undefined, leftOutS: number): string[] {
  const input = ['-protocol_whitelist', 'pipe', '-f', 'aac', '-probesize', '32768', '-i', 'pipe:0'];
  const silenceS = Math.max(0, -leftOutS);
  const fadeStartS = (fade?.startS ?? 0) + silenceS;
  const filters = [
    ...(silenceS > 0 ? [`adelay=${(silenceS * 1000).toFixed(3)}:all=1`] : []),
    ...(fade === undefined ? [] : [`afade=t=out:st=${fadeStartS.toFixed(6)}:d=${fade.lengthS.toFixed(6)}`]),
    ...(leftOutS > 0 ? [`atrim=start=${leftOutS.toFixed(6)}`] : []),
  ];
  const filter = filters.length === 0 ? [] : ['-af', filters.join(',')];
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-threads', '1'],
    ...[...input, '-map', '0:a:0', ...filter, '-map_metadata', '-1', ...encoding],
    // Half a second at a time: flushing each frame costs a system call and an event for every 418 bytes.
    ...['-flush_packets', '0', '-blocksize', '8192', 'pipe:1'],
  ];
}

/** Less than half of the announced frames is not the post's sound, whatever the exit status. */
function requireSound(bytes: number, sound: AdtsSound): void {
  const { audioBytes } = mp3Layout(sound);
  if (sound.frameCount === 0 || bytes < audioBytes / 2) {
    throw new Failure('conversion_failed', { note: `${bytes} of ${audioBytes} bytes came out` });
  }
}
