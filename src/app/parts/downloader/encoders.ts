import type { Logger } from 'pino';
import type { Mp3Encoder } from '../../../downloader/media/contracts.ts';
import { FfmpegEncoder } from '../../../downloader/media/mp3/ffmpeg-encoder.ts';
import { type FoundFfmpeg, findFfmpeg } from '../../../downloader/media/mp3/find-ffmpeg.ts';
import { WasmEncoder } from '../../../downloader/media/mp3/wasm/wasm-encoder.ts';
import { type Environment, EnvironmentError } from '../../../process/environment.ts';

const findLimitMs = 10_000;

/**
 * The encoders of this machine, the preferred one first: ffmpeg where there is one, and always WebAssembly; and that ffmpeg.
 * @throws EnvironmentError when the operator's own ffmpeg cannot be used
 */
export async function pickEncoders(
  { FFMPEG_PATH }: Environment,
  searchPath: string,
  workers: number,
  logger: Logger,
): Promise<{ encoders: Mp3Encoder[]; ffmpeg: FoundFfmpeg | null }> {
  const found = await findFfmpeg(FFMPEG_PATH, searchPath, AbortSignal.timeout(findLimitMs)).catch(
    (error: Error) => {
      throw new EnvironmentError(`FFMPEG_PATH: ${error.message}`, { cause: error });
    },
  );
  logger.info(
    { ffmpeg: found?.version ?? null },
    found ? 'converting with ffmpeg' : 'converting with WebAssembly',
  );
  const encoders = [...(found ? [new FfmpegEncoder(found)] : []), new WasmEncoder({ workers })];
  return { encoders, ffmpeg: found };
}
