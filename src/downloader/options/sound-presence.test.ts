import { expect, test } from 'vitest';
import type { ByteSource } from '../media/contracts.ts';
import { RecentMovies } from '../media/recent-movies.ts';
import { BufferSource } from '../media/testing/buffer-source.ts';
import { buildMp4 } from '../media/testing/mp4-builder.ts';
import { toneFramesOf } from '../media/testing/tone.ts';
import type { MediaSource, Post, VideoVariant } from '../posts/post.ts';
import { chooseVideo, type KnownSound, listOptions } from './options.ts';
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

function presenceIn(open: (media: MediaSource) => ByteSource, canEncode = true) {
  const opened: MediaSource[] = [];
  const movies = new RecentMovies();
  const presence = createSoundPresence({
    openSource: (media) => {
      opened.push(media);
      return open(media);
    },
    movies,
    canEncode: () => canEncode,
    limitMs: 50,
    measuredLimitMs: 50,
  });
  return { presence, movies, opened: () => opened.length };
}

const file = (build: Parameters<typeof buildMp4>[0] = { frames }) => new BufferSource(buildMp4(build));
const all: KnownSound = { silent: new Set(), formats: ['mp3', 'm4a'], isUnsupported: false };
const none: KnownSound = { ...all, formats: [] };

test.each([
  ['with sound', file, true, all],
  ['without sound', () => file({ frames, sound: false }), true, none],
  ['whose sound no encoder here takes', file, false, { ...all, formats: ['m4a'] }],
  [
    'whose sound is no AAC',
    () => file({ frames, soundFormat: 'Opus' }),
    true,
    { ...none, isUnsupported: true },
  ],
] as const)('a video %s is looked at once', async (_, open, canEncode, expected) => {
  const { presence, opened } = presenceIn(() => open(), canEncode);
  expect(await presence(video, signal)).toEqual(expected);
  expect(await presence(video, signal)).toEqual(expected);
  expect(opened()).toBe(1);
});

test('a video is looked at once for all who ask at once, and for the conversion that follows', async () => {
  const { presence, movies, opened } = presenceIn(() => file());
  await Promise.all(Array.from({ length: 60 }, () => presence(video, signal)));
  expect(opened()).toBe(1);
  expect(movies.take(source)?.sound.samples.count).toBe(frames.length);
  // Tables that turn out to be of another file must not be used again.
  expect(movies.take(source)).toBeNull();
});

test('a file above the default that is silent is left out, and so is the next one', async () => {
  const at = (height: number, url: string) => ({
    codec: 'h265' as const,
    width: 1080,
    height,
    bytes: null,
    bitrate: null,
    source: { urls: [url], headers: {}, expiresAt: 0 },
  });
  const [large, middle, small] = [at(1920, 'silent'), at(1800, 'silent'), at(1700, 'sounding')];
  const post = { ...video, videos: [...video.videos, large, middle, small] };
  const { presence } = presenceIn(({ urls }) => file({ frames, sound: urls[0] !== 'silent' }));
  const { silent, formats } = await presence(post, signal);
  expect([...silent]).toEqual([large, middle]);
  expect(formats).toEqual(['mp3', 'm4a']);
  expect(chooseVideo(post, 'hd', silent)).toBe(small);
});

test('of a post that is silent itself, a silent file is as good as any', async () => {
  const hd = { ...video.videos[0], width: 1080, height: 1920, source: { ...source } } as VideoVariant;
  const post = { ...video, videos: [...video.videos, hd] };
  const { presence } = presenceIn(() => file({ frames, sound: false }));
  expect((await presence(post, signal)).silent.size).toBe(0);
});

test('what cannot be found out is offered, and asked again the next time', async () => {
  const { presence, opened } = presenceIn(() => new BufferSource(Buffer.from('<html>')));
  expect(await presence(video, signal)).toEqual(all);
  expect(await presence(video, signal)).toEqual(all);
  expect(opened()).toBe(2);
});

test.each([false, true])('a platform that does not answer keeps nobody waiting', async (soundMeasured) => {
  const never: ByteSource = {
    size: null,
    read: (_offset, _length, ended) =>
      new Promise((_, reject) => ended.addEventListener('abort', () => reject(ended.reason))),
    stream: async function* () {},
    whole: async function* () {},
  };
  expect(await presenceIn(() => never).presence({ ...video, soundMeasured }, signal)).toEqual(all);
});

test('a visitor who leaves ends it', async () => {
  const { presence } = presenceIn(() => file());
  await expect(presence(video, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});

test('a slideshow says itself whether it has a sound, and of an m4a the file says what can be made of it', async () => {
  const { presence, opened } = presenceIn(() => file(), false);
  const photos: Post = { ...video, kind: 'photos', videos: [] };
  const withSound = (type: string): Post => ({
    ...photos,
    sound: {
      title: '',
      artist: '',
      durationS: 3,
      source: { ...source, urls: [`https://v16m.tiktokcdn-us.com/x?mime_type=${type}`] },
    },
  });
  expect(await presence(photos, signal)).toEqual(none);
  expect((await presence(withSound('audio_mpeg'), signal)).formats).toEqual(['mp3']);
  expect(opened()).toBe(0);
  expect((await presence(withSound('audio_mp4'), signal)).formats).toEqual(['m4a']);
  expect(opened()).toBe(1);
});

const mp3 = Buffer.concat(
  Array.from({ length: 20 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])),
);
const m4a = Buffer.from(buildMp4({ frames }));
m4a.write('M4A ', 8, 'latin1');

test.each<[string, Buffer, KnownSound['formats']]>([
  ['an mp3', mp3, ['mp3']],
  ['an m4a', m4a, ['mp3', 'm4a']],
])('%s in the place of a video is a song, and no video is offered', async (_, bytes, formats) => {
  const known = await presenceIn(() => new BufferSource(bytes)).presence(video, signal);
  expect(known).toEqual({ ...all, formats, isSong: true });
  expect(listOptions(video, known).map(({ id }) => id)).toEqual(formats);
});

test('what is neither a video nor a song says nothing about the sound', async () => {
  const page = new BufferSource(Buffer.from('<!doctype html><title>Please wait</title>'));
  expect(await presenceIn(() => page).presence(video, signal)).toEqual(all);
});
