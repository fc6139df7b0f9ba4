import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { collect } from '../testing/buffer-source.ts';
import { testMp3Encoder } from '../testing/mp3-encoder-suite.ts';
import { soundOf, toneAdts, toneFrames } from '../testing/tone.ts';
import { FfmpegEncoder } from './ffmpeg-encoder.ts';
import { findFfmpeg } from './find-ffmpeg.ts';

const { signal } = new AbortController();
const found = await findFfmpeg(undefined, process.env.PATH ?? '', signal);

/** Children of this process; Linux only, where the tests with ffmpeg run. */
async function children(): Promise<number> {
  const text = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  return text.split(' ').filter((pid) => pid.trim() !== '').length;
}

describe('FfmpegEncoder', () => {
  it('reports what could not be started', async () => {
    const encoder = new FfmpegEncoder({ ffmpegPath: '/nonexistent/ffmpeg', prlimitPath: null });
    const encoding = collect(
      encoder.encode({ sound: soundOf([toneAdts], toneFrames.length), fast: false, signal }),
    );
    await expect(encoding).rejects.toMatchObject({
      key: 'conversion_failed',
      message: expect.stringContaining('ENOENT'),
    });
  });

  it('reports what a failing program wrote', async () => {
    const encoder = new FfmpegEncoder({ ffmpegPath: '/bin/false', prlimitPath: null });
    const encoding = collect(
      encoder.encode({ sound: soundOf([toneAdts], toneFrames.length), fast: false, signal }),
    );
    await expect(encoding).rejects.toMatchObject({ key: 'conversion_failed' });
  });

  it('kills a program that ignores signals', async () => {
    // It ignores SIGTERM, and neither reads nor writes.
    const before = await children();
    const script = fileURLToPath(new URL('../testing/stubborn.sh', import.meta.url));
    const encoder = new FfmpegEncoder({ ffmpegPath: script, prlimitPath: null, wallLimitMs: 200 });
    const encoding = collect(
      encoder.encode({ sound: soundOf([toneAdts], toneFrames.length), fast: false, signal }),
    );
    await expect(encoding).rejects.toMatchObject({ key: 'conversion_timeout' });
    expect(await children()).toBe(before);
  });
});

describe.runIf(found?.prlimitPath)('an ffmpeg that uses too much memory', () => {
  it.each([
    ['is ended', 64, 'conversion_failed'],
    ['is not, below its bound', 1024, 'none'],
  ])('%s', async (_, megabytes, key) => {
    const encoder = new FfmpegEncoder({
      ffmpegPath: fileURLToPath(new URL('../testing/hungry.sh', import.meta.url)),
      prlimitPath: found?.prlimitPath ?? null,
      memoryLimitBytes: megabytes * 2 ** 20,
    });
    const encoding = collect(encoder.encode({ sound: soundOf([toneAdts], 10), fast: false, signal }));
    expect(
      await encoding.then(
        () => 'none',
        ({ key }: { key: string }) => key,
      ),
    ).toBe(key);
  });
});

describe('findFfmpeg', () => {
  it('finds nothing on an empty path, and refuses a configured ffmpeg that cannot run', async () => {
    expect(await findFfmpeg(undefined, '/nonexistent:relative', signal)).toBeNull();
    await expect(findFfmpeg('/nonexistent/ffmpeg', '', signal)).rejects.toMatchObject({ key: 'internal' });
    await expect(findFfmpeg('/bin/true', '', signal)).rejects.toMatchObject({ key: 'internal' });
  });
});

if (found === null) {
  describe.skip('ffmpeg as an Mp3Encoder: no ffmpeg on this machine');
} else {
  const { ffmpegPath, prlimitPath } = found;
  let before = await children();
  testMp3Encoder('ffmpeg', {
    make(wallLimitMs) {
      return new FfmpegEncoder({
        ffmpegPath,
        prlimitPath,
        ...(wallLimitMs === undefined ? {} : { wallLimitMs }),
      });
    },
    async busy() {
      const now = await children();
      before = Math.min(before, now);
      return now - before;
    },
  });
}
