import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../../failures/failures.ts';
import type { FfmpegPrograms } from '../ffmpeg-process.ts';

const run = promisify(execFile);

/** Programs that the ffmpeg encoder uses. */
export interface FoundFfmpeg extends FfmpegPrograms {
  /** First line of `ffmpeg -version`, for the log. */
  readonly version: string;
}

/**
 * Finds an ffmpeg that can read AAC and write mp3.
 * @param ffmpegPath the operator's choice (`FFMPEG_PATH`); no other is tried then
 * @param searchPath the `PATH` variable
 * @returns null when the search path has none, or it was built without LAME
 * @throws Failure `internal` when the operator's choice cannot be used
 */
export async function findFfmpeg(
  ffmpegPath: string | undefined,
  searchPath: string,
  signal: AbortSignal,
): Promise<FoundFfmpeg | null> {
  const found = ffmpegPath ?? (await findProgram('ffmpeg', searchPath));
  if (found === null) return null;
  try {
    const options = { signal, timeout: 10_000, maxBuffer: 1 << 20, env: { LC_ALL: 'C' } };
    // One program for all three questions: its start takes a tenth of a second of the processor.
    const { stdout: codecs, stderr: banner } = await run(found, ['-codecs'], options);
    if (!/\bencoders:[^)]*\blibmp3lame\b/.test(codecs) || !/^ D\S* aac /m.test(codecs)) {
      throw new Failure('internal', { note: `${found} was built without LAME or AAC` });
    }
    return {
      ffmpegPath: found,
      prlimitPath: await findProgram('prlimit', searchPath),
      version: banner.split('\n', 1)[0] ?? '',
    };
  } catch (error) {
    signal.throwIfAborted();
    if (ffmpegPath === undefined) return null;
    if (error instanceof Failure) throw error;
    throw new Failure('internal', { note: `${ffmpegPath} cannot be run`, cause: error });
  }
}

/** The absolute path of a program on a search path, or null. */
async function findProgram(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter)) {
    // A relative entry would depend on where the product was started.
    if (!path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, name);
    const runnable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runnable) return candidate;
  }
  return null;
}
