import { expect, test } from 'vitest';
import { BufferSource } from '../media/testing/buffer-source.ts';
import { buildMp4 } from '../media/testing/mp4-builder.ts';
import { toneFramesOf } from '../media/testing/tone.ts';
import type { MediaSource } from '../post/post.ts';
import { describeFiles } from './describe-files.ts';
import { samplePost, separateSound, size1080, variant } from './testing/sample-post.ts';

const { signal } = new AbortController();
const frames = toneFramesOf(1);

const open = ({ urls: [address = ''] }: MediaSource) => {
  if (address === 'gone') return new BufferSource(Buffer.from('<html>'));
  const fragmented = address.includes('fragmented');
  return new BufferSource(
    buildMp4({
      frames,
      fragmented,
      sound: !address.includes('picture'),
      ...(address.startsWith('sound') && { pictureBytes: 0 }),
    }),
  );
};

test('describes each offered file by its own boxes', async () => {
  const picture = variant('picture fragmented', { ...size1080, tracks: 'picture' });
  const joinable = samplePost({ videos: [variant('whole'), picture], separateSounds: [separateSound('a')] });
  expect(await describeFiles(joinable, open, signal)).toEqual([
    'mp4 576x1024 avc1 + mp4a',
    'mp4-hd 1080x1920 avc1 fragmented, joined with mp4a',
    'sound mp3 and m4a',
  ]);
  const silent = samplePost({ videos: [variant('picture')] });
  expect(await describeFiles(silent, open, signal)).toEqual(['mp4 576x1024 avc1', 'sound none']);
  const gone = samplePost({ videos: [variant('gone')] });
  expect((await describeFiles(gone, open, signal))[0]).toBe('mp4 576x1024 media_invalid');
  expect(await describeFiles(samplePost({ kind: 'photos' }), open, signal)).toEqual([]);
});
