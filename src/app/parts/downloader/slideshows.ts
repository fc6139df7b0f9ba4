import { join } from 'node:path';
import type { Logger } from 'pino';
import type { FfmpegPrograms } from '../../../downloader/media/ffmpeg-process.ts';
import type { VideoTools } from '../../../downloader/slideshow/ffmpeg-tools.ts';
import { findVideoTools } from '../../../downloader/slideshow/find-video-tools.ts';
import {
  createSlideshowMaker,
  type SlideshowMakerOptions,
} from '../../../downloader/slideshow/make-slideshow.ts';
import { openScratch } from '../../../downloader/slideshow/scratch.ts';

const findLimitMs = 20_000;

export interface SlideshowParts extends Pick<SlideshowMakerOptions, 'resolver' | 'pictures' | 'openSource'> {
  readonly ffmpeg: FfmpegPrograms | null;
  /** Folder of finished conversions. */
  readonly folder: string;
  readonly logger: Logger;
}

/** Makes videos of slideshows if a suitable ffmpeg exists; tested at the first request. */
export async function assembleSlideshows({ ffmpeg, folder, logger, ...parts }: SlideshowParts) {
  const scratch = await openScratch(join(folder, 'slideshows'));
  let found: Promise<VideoTools | null> | null = ffmpeg === null ? Promise.resolve(null) : null;

  async function find(programs: FfmpegPrograms): Promise<VideoTools | null> {
    try {
      const tools = await findVideoTools(programs, scratch, AbortSignal.timeout(findLimitMs));
      logger.info(
        { videos: tools !== null },
        tools ? 'ffmpeg makes videos of slideshows' : 'no videos of slideshows',
      );
      return tools;
    } catch (error) {
      // A full disk or a busy machine: a later attempt may succeed.
      found = null;
      logger.warn({ err: error }, 'ffmpeg could not be tested for videos');
      return null;
    }
  }

  const findTools = (): Promise<VideoTools | null> => {
    if (found === null && ffmpeg !== null) found = find(ffmpeg);
    return found ?? Promise.resolve(null);
  };
  return { maker: createSlideshowMaker({ ...parts, findTools, scratch }), findTools };
}
