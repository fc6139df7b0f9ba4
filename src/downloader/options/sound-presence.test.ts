import { expect, test } from 'vitest';
import type { ByteSource } from '../media/contracts.ts';
import { BufferSource } from '../media/testing/buffer-source.ts';
import { buildMp4 } from '../media/testing/mp4-builder.ts';
import { toneFramesOf } from '../media/testing/tone.ts';
import type { Post } from '../posts/post.ts';
import { createSoundPresence } from './sound-presence.ts';

const source = { urls: ['https://v16m.tiktokcdn-us.com/x'], headers: {}, expiresAt: 0 };
const video: Post = {
  platform: 'tiktok',
  id: '7000000000000000001',
  url: 'https://www.tiktok.com/@ferry/video/7000000000000000001',
  kind: 'video',
  author: { handle: 'ferry', name: 'Ferry' },
  title: '',
  durationS: 1,
  cover: null,
  createdAt: null,
  videos: [{ codec: 'h264', width: 576, height: 1024, bytes: null, bitrate: null, source }],
  pictures: [],
  sound: null,
  soundMeasured: false,
  savingAllowed: true,
  readBy: 'page',
};
const signal = new AbortController().signal;
const frames = toneFramesOf(1);

function presenceIn(open: () => ByteSource) {
  let opened = 0;
  const presence = createSoundPresence({
    openSource: () => {
      opened++;
      return open();
    },
    limitMs: 50,
  });
  return { presence, opened: () => opened };
}

test.each([
  ['with sound', true],
  ['without sound', false],
])('a video %s is looked at once', async (_, sound) => {
  const { presence, opened } = presenceIn(() => new BufferSource(buildMp4({ frames, sound })));
  expect(await presence(video, signal)).toBe(sound);
  expect(await presence(video, signal)).toBe(sound);
  expect(opened()).toBe(1);
});

test('what cannot be found out is offered, and asked again the next time', async () => {
  const { presence, opened } = presenceIn(() => new BufferSource(Buffer.from('<html>')));
  expect(await presence(video, signal)).toBe(true);
  expect(await presence(video, signal)).toBe(true);
  expect(opened()).toBe(2);
});

test('a platform that does not answer keeps nobody waiting', async () => {
  const never: ByteSource = {
    size: null,
    read: (_offset, _length, ended) =>
      new Promise((_, reject) => ended.addEventListener('abort', () => reject(ended.reason))),
    stream: async function* () {},
  };
  expect(await presenceIn(() => never).presence(video, signal)).toBe(true);
});

test('a visitor who leaves ends it', async () => {
  const { presence } = presenceIn(() => new BufferSource(buildMp4({ frames })));
  await expect(presence(video, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});

test('a slideshow says itself whether it has a sound', async () => {
  const { presence, opened } = presenceIn(() => new BufferSource(Buffer.alloc(0)));
  expect(await presence({ ...video, kind: 'photos', videos: [] }, signal)).toBe(false);
  const sound = { title: '', artist: '', durationS: 3, source };
  expect(await presence({ ...video, kind: 'photos', videos: [], sound }, signal)).toBe(true);
  expect(opened()).toBe(0);
});

test('a video whose loudness the platform measured is not looked at', async () => {
  const { presence, opened } = presenceIn(() => new BufferSource(buildMp4({ frames, sound: false })));
  expect(await presence({ ...video, soundMeasured: true }, signal)).toBe(true);
  expect(opened()).toBe(0);
});
