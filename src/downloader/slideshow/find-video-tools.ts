import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../failures/failures.ts';
import type { FfmpegPrograms } from '../media/ffmpeg-process.ts';
import { encodeVideo } from './encode-video.ts';
import type { VideoTools } from './ffmpeg-tools.ts';
import type { Scratch } from './scratch.ts';
import { timeSlides } from './timing.ts';

/** A grey JPEG of 16 x 16 pixels. */
const grey = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJAA/9k=',
  'base64',
);

/**
 * Tests an ffmpeg by making a video of two small pictures: builds omit features, and no listing covers all that are
 * needed.
 * @returns null when it fails
 * @throws the signal's reason, or an error of the disk
 */
export async function findVideoTools(
  programs: FfmpegPrograms,
  scratch: Scratch,
  signal: AbortSignal,
): Promise<VideoTools | null> {
  const folder = await scratch.open();
  try {
    const slides = join(folder.path, 'slides');
    await writeFile(slides, Buffer.concat([grey, grey, grey]));
    for (const rateOption of ['fps_mode', 'vsync'] as const) {
      const tools = { ...programs, rateOption };
      const output = join(folder.path, `${rateOption}.mp4`);
      const parts = { slides, count: 2, sound: null, timing: timeSlides(2, null), tags: null, output };
      try {
        await encodeVideo(tools, parts, () => {}, signal);
        return tools;
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof Failure) || thrown.key !== 'conversion_failed') throw thrown;
      }
    }
    return null;
  } finally {
    await folder.delete();
  }
}
