import { expect, it, vi } from 'vitest';
import { fileKey } from '../../conversions/source.ts';
import { listOptions } from '../../options/options.ts';
import { samplePost } from '../../options/testing/sample-post.ts';
import { collect } from '../testing/buffer-source.ts';
import { mp3Frames } from '../testing/mp3-encoder-suite.ts';
import { soundOf, toneAdts, toneFrames } from '../testing/tone.ts';
import { FfmpegEncoder } from './ffmpeg-encoder.ts';
import { findFfmpeg } from './find-ffmpeg.ts';

vi.mock('./layout.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./layout.ts')>()),
  mp3Bitrate: 192_000,
}));

const { signal } = new AbortController();
const found = await findFfmpeg(undefined, process.env.PATH ?? '', signal);

it('announces another bit rate with the size that follows from it', () => {
  const choice = {
    default: null,
    hd: null,
    hasSound: true,
    formats: ['mp3'],
    isUnsupported: false,
    isSong: false,
    versions: [],
    hasSlideshow: false,
  } as const;
  expect(listOptions(samplePost({ durationS: 60 }), choice).find(({ id }) => id === 'mp3')).toMatchObject({
    label: { kilobitsPerSecond: 192 },
    bytes: 60 * 24_000,
  });
});

it('does not mistake files of another bit rate for it', () => {
  const work = { kind: 'sound', post: { platform: 'tiktok', id: '1' } } as const;
  expect(fileKey({ ...work, format: 'mp3' })).toContain('-192k-');
  expect(fileKey({ ...work, format: 'm4a' })).not.toContain('192');
});

it.skipIf(found === null)('makes ffmpeg encode with another bit rate', async () => {
  const encoder = new FfmpegEncoder({ ffmpegPath: found?.ffmpegPath ?? '', prlimitPath: null });
  const mp3 = await collect(
    encoder.encode({ sound: soundOf([toneAdts], toneFrames.length), fast: false, signal }),
  );
  expect(new Set(mp3Frames(mp3).map(({ bitrate }) => bitrate))).toEqual(new Set([192]));
});
