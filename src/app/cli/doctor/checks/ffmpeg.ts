import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findFfmpeg } from '../../../../downloader/media/mp3/find-ffmpeg.ts';
import { type Check, ok, warning } from '../../../../server/commands/checks.ts';

const run = promisify(execFile);

export const ffmpeg: Check = {
  name: 'ffmpeg',
  todo: 'install ffmpeg with libmp3lame and libx264, or name one in FFMPEG_PATH',
  async run({ environment: { FFMPEG_PATH, CONVERSIONS }, signal }) {
    if (CONVERSIONS === 0) return [ok('not needed: converters convert (CONVERSIONS=0)')];
    const found = await findFfmpeg(FFMPEG_PATH, process.env.PATH ?? '', signal);
    const none = 'there is none with libmp3lame and AAC: sounds take longer, slideshows become no videos';
    if (found === null) return [warning(none, 'install ffmpeg, or name one in FFMPEG_PATH')];
    const { stdout } = await run(found.ffmpegPath, ['-hide_banner', '-encoders'], {
      signal,
      env: { LC_ALL: 'C' },
    });
    const version = /version (\S+)/.exec(found.version)?.[1] ?? found.version;
    const what = `${found.ffmpegPath}, version ${version}, with libmp3lame`;
    if (/ libx264 /.test(stdout)) return [ok(`${what} and libx264`)];
    return [
      warning(`${what}, without libx264: slideshows become no videos`, 'install an ffmpeg with libx264'),
    ];
  },
};
