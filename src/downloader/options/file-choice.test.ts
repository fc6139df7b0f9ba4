import { expect, test } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { ByteSource } from '../media/contracts.ts';
import { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import { BufferSource } from '../media/testing/buffer-source.ts';
import { buildMp4 } from '../media/testing/mp4-builder.ts';
import { toneFramesOf } from '../media/testing/tone.ts';
import type { ChosenVideo } from '../post/choose-files.ts';
import type { MediaSource, Post } from '../post/post.ts';
import { createFileChooser, type FileChoice } from './file-choice.ts';
import { listOptions } from './options.ts';
import { samplePost, separateSound, size720, size1080, sourceAt, variant } from './testing/sample-post.ts';

const signal = new AbortController().signal;
const frames = toneFramesOf(1);
const video = samplePost({ videos: [variant('default')] });

function chooserIn(open: (address: string) => ByteSource, canEncode = true, waitMs = 5_000) {
  const opened: string[] = [];
  const movies = new Mp4IndexCache();
  const chooser = createFileChooser({
    openSource: ({ urls }: MediaSource) => {
      const address = urls[0] ?? '';
      opened.push(address);
      return open(address);
    },
    movies,
    canEncode: () => canEncode,
    limitMs: waitMs,
    measuredLimitMs: waitMs,
  });
  return { ...chooser, movies, opened };
}

const file = (build: Partial<Parameters<typeof buildMp4>[0]> = {}) =>
  new BufferSource(buildMp4({ frames, ...build }));
/** An address with this beginning has a file without sound, and so on. */
const byName = (address: string): ByteSource => {
  if (address.includes('html')) return new BufferSource(Buffer.from('<html>'));
  if (address.includes('opus')) return file({ soundFormat: 'Opus' });
  if (address.includes('fragmented')) return file({ sound: !address.includes('silent'), fragmented: true });
  if (address.startsWith('sound')) return file({ pictureBytes: 0 });
  return file({ sound: !address.includes('silent') });
};

const name = (chosen: ChosenVideo | null) =>
  chosen &&
  [chosen.picture.source.urls[0], chosen.sound?.id].filter((part) => part !== undefined).join(' + ');
const summary = ({ default: standard, hd, formats, isUnsupported }: FileChoice) =>
  [name(standard), name(hd), formats.join(' '), isUnsupported ? 'unsupported' : ''] as const;

const all = { formats: ['mp3', 'm4a'], isUnsupported: false };
const none = { ...all, formats: [] };

test.each([
  ['with sound', {}, true, all],
  ['without sound', { sound: false }, true, none],
  ['whose sound no encoder here takes', {}, false, { ...all, formats: ['m4a'] }],
  ['whose sound is no AAC', { soundFormat: 'Opus' }, true, { ...none, isUnsupported: true }],
  ['in fragments', { fragmented: true }, true, { ...none, isUnsupported: true }],
  ['in fragments, without sound', { fragmented: true, sound: false }, true, none],
] as const)('a video %s is inspected once', async (_, build, canEncode, expected) => {
  const { choose, opened } = chooserIn(() => file(build), canEncode);
  expect(await choose(video, signal)).toMatchObject(expected);
  expect(await choose(video, signal)).toMatchObject(expected);
  expect(opened).toHaveLength(1);
});

test('inspects a video once for all simultaneous callers, and for the conversion that follows', async () => {
  const { choose, movies, opened } = chooserIn(() => file());
  await Promise.all(Array.from({ length: 60 }, () => choose(video, signal)));
  expect(opened).toHaveLength(1);
  const [{ source } = { source: null }] = video.videos;
  if (source === null) throw new Error('no video');
  expect(movies.take(source)?.sound.samples.count).toBe(frames.length);
  // Tables that belong to another file must not be used again.
  expect(movies.take(source)).toBeNull();
});

const hd = { ...size1080, codec: 'h265' } as const;
const picture = { tracks: 'picture', soundId: 'own' } as const;
const unsaid = { tracks: 'unknown' } as const;
const own = separateSound('own');
const lost = separateSound('lost', { source: { urls: ['html'], headers: {}, expiresAt: 0 } });

test.each<[string, Partial<Post>, ReturnType<typeof summary>, readonly string[]]>([
  [
    'a silent file above the default is left out, and so is the next one',
    {
      videos: [
        variant('whole'),
        variant('silent 1', hd),
        variant('silent 2', { ...hd, height: 1800, bitrate: 1 }),
        variant('720', { ...hd, ...size720 }),
      ],
    },
    ['whole', '720', 'mp3 m4a', ''],
    ['silent 2', 'whole', 'silent 1', '720'],
  ],
  [
    'one in fragments, too, and the next one stands in',
    { videos: [variant('whole'), variant('silent fragmented', hd), variant('720', { ...hd, ...size720 })] },
    ['whole', '720', 'mp3 m4a', ''],
    ['silent fragmented', 'whole', '720'],
  ],
  [
    'a picture is joined without a look at it: the sound alone is looked at',
    { videos: [variant('whole'), variant('picture', { ...hd, ...picture })], separateSounds: [own] },
    ['whole', 'picture + own', 'mp3 m4a', ''],
    ['sound own'],
  ],
  [
    'the picture of a post without whole files is joined',
    { videos: [variant('picture', { ...size720, ...picture })], separateSounds: [own], soundMeasured: true },
    ['picture + own', null, 'mp3 m4a', ''],
    ['sound own'],
  ],
  [
    'what the post does not say, the file says: a silent default gives way to one with a sound',
    { videos: [variant('silent', { ...size720, ...unsaid }), variant('576', unsaid)] },
    ['576', null, 'mp3 m4a', ''],
    ['silent', '576'],
  ],
  [
    'a silent default that is said to be whole gives way as well',
    { videos: [variant('silent', size720), variant('576')], soundMeasured: true },
    ['576', null, 'mp3 m4a', ''],
    ['silent', '576'],
  ],
  [
    'a measured sound is heard in HD alone, which is looked at anyway',
    { videos: [variant('whole'), variant('loud', hd)], soundMeasured: true },
    ['whole', 'loud', 'mp3 m4a', ''],
    ['loud'],
  ],
  [
    'a measured sound that HD lacks is looked for in the default',
    { videos: [variant('whole'), variant('silent', hd)], soundMeasured: true },
    ['whole', null, 'mp3 m4a', ''],
    ['silent', 'whole'],
  ],
  [
    'a file that turns out to be a picture is joined',
    { videos: [variant('whole', unsaid), variant('silent', { ...hd, ...unsaid })], separateSounds: [own] },
    ['whole', 'silent + own', 'mp3 m4a', ''],
    ['whole', 'silent', 'sound own'],
  ],
  [
    'a sound that is a page is not joined, and another is',
    {
      videos: [variant('whole'), variant('picture', { ...hd, tracks: 'picture', soundId: 'lost' })],
      separateSounds: [lost, own],
    },
    ['whole', 'picture + own', 'mp3 m4a', ''],
    ['html', 'sound own'],
  ],
  [
    'HD goes away with its only sound, and the sound is that of the whole file',
    { videos: [variant('whole'), variant('picture', { ...hd, ...picture })], separateSounds: [lost] },
    ['whole', null, 'mp3 m4a', ''],
    ['html', 'whole'],
  ],
  [
    'a sound that cannot be converted is joined, and what is converted is in the whole file',
    {
      videos: [variant('whole'), variant('picture', { ...hd, ...picture })],
      separateSounds: [separateSound('own', { source: { urls: ['fragmented'], headers: {}, expiresAt: 0 } })],
    },
    ['whole', 'picture + own', 'mp3 m4a', ''],
    ['fragmented', 'whole'],
  ],
  [
    'a post has no sound when nothing says so and its file has none',
    { videos: [variant('silent', { ...size720, ...picture }), variant('silent hd', { ...hd, ...picture })] },
    ['silent', 'silent hd', '', ''],
    ['silent'],
  ],
  [
    'of a post that is silent itself, a silent file is as good as any',
    { videos: [variant('silent'), variant('silent hd', hd)] },
    ['silent', 'silent hd', '', ''],
    ['silent hd', 'silent'],
  ],
  [
    'what is said to be a picture alone may have the sound after all',
    { videos: [variant('marked', { ...size720, ...picture })], soundMeasured: true },
    ['marked', null, 'mp3 m4a', ''],
    ['marked'],
  ],
  [
    'a sound that was measured and is nowhere is not told as no sound',
    {
      videos: [variant('silent', picture), variant('silent hd', { ...hd, ...picture })],
      soundMeasured: true,
    },
    ['silent', null, '', 'unsupported'],
    ['silent'],
  ],
  [
    'nor is one that is listed and not to be had',
    { videos: [variant('silent', picture)], separateSounds: [lost] },
    ['silent', null, '', 'unsupported'],
    ['html', 'silent'],
  ],
  [
    'of two files whose sound cannot be converted, none is',
    { videos: [variant('opus 720', size720), variant('opus 576')] },
    ['opus 720', null, '', 'unsupported'],
    ['opus 720', 'opus 576'],
  ],
])('%s', async (_, values, expected, looks) => {
  const post = samplePost(values);
  const { choose, video: chosenFor, opened } = chooserIn(byName);
  expect(summary(await choose(post, signal))).toEqual(expected);
  expect(opened).toEqual(looks);
  expect(summary(await choose(post, signal))).toEqual(expected);
  // A ticket stands for the offered file, without another check.
  expect(name(await chosenFor(post, 'default', signal))).toBe(expected[0]);
  expect(
    await chosenFor(post, 'hd', signal).then(name, (thrown) =>
      thrown instanceof Failure && thrown.key === 'option_missing' ? null : thrown,
    ),
  ).toBe(expected[1]);
  expect(opened).toEqual(looks);
});

test('HD that has long been what the platform says is inspected when it is requested', async () => {
  const { choose, video: chosenFor, opened } = chooserIn(byName);
  let posts = 0;
  const postWith = (address: string) =>
    samplePost({
      id: String(7_400_000_000_000_000_000n + BigInt(posts++)),
      videos: [variant('whole'), variant(address, hd)],
      soundMeasured: true,
    });
  const looksAt = async (address: string, count: number) => {
    opened.length = 0;
    for (let n = 0; n < count; n += 1)
      expect(name((await choose(postWith(address), signal)).hd)).toBe(address);
    return opened.length;
  };
  expect(await looksAt('loud', 200)).toBe(200);
  // One in twenty is inspected all the same.
  expect(await looksAt('loud', 100)).toBe(5);

  const silent = postWith('silent');
  expect(summary(await choose(silent, signal))).toEqual(['whole', 'silent', 'mp3 m4a', '']);
  await expect(chosenFor(silent, 'hd', signal)).rejects.toMatchObject({ key: 'option_missing' });
  expect(name((await choose(silent, signal)).hd)).toBeNull();
  // One of another kind, and every file is inspected again.
  expect(await looksAt('loud', 200)).toBe(200);
  expect(await looksAt('loud', 18)).toBe(0);
  await chosenFor(postWith('fragmented'), 'hd', signal).catch(() => null);
  expect(await looksAt('loud', 1)).toBe(1);
});

test('what the platform does not say is inspected however often it was as usual', async () => {
  const { choose, opened } = chooserIn(byName);
  for (let n = 0; n < 300; n += 1) {
    const values = { tracks: n % 2 ? 'unknown' : 'whole', ...hd } as const;
    const post = samplePost({ id: String(n), videos: [variant('whole'), variant('loud', values)] });
    await choose({ ...post, soundMeasured: n % 2 === 1 }, signal);
  }
  expect(opened.filter((address) => address === 'loud')).toHaveLength(300);
});

test('an instance that has not inspected a file yet finds out what a ticket stands for', async () => {
  const silent = variant('silent', { ...size720, ...unsaid });
  const post = samplePost({
    videos: [silent, variant('576', unsaid), variant('silent hd', { ...hd, ...unsaid })],
  });
  for (const wanted of ['default', 'hd'] as const) {
    const { video: chosenFor } = chooserIn(byName);
    const offered = await chooserIn(byName).choose(post, signal);
    expect(await chosenFor(post, wanted, signal).then(name, () => null)).toBe(name(offered[wanted]));
  }
  const { video: chosenFor, opened } = chooserIn(byName);
  await chosenFor(samplePost({ videos: [variant('whole')] }), 'default', signal);
  expect(opened).toEqual([]);
});

test('limits the number of inspections, however many files are silent', async () => {
  const videos = Array.from({ length: 30 }, (_, n) =>
    variant(`silent ${n}`, { ...unsaid, width: 500 - n, height: 1000 }),
  );
  const { choose, opened } = chooserIn(byName);
  await choose(samplePost({ videos }), signal);
  expect(opened.length).toBeLessThanOrEqual(6);
});

test('does not offer two files again that could not be joined, but offers those of other posts', async () => {
  const values = {
    videos: [variant('whole'), variant('picture', { ...hd, ...picture })],
    separateSounds: [own],
  };
  const post = samplePost(values);
  const { choose, video: chosenFor, withdraw } = chooserIn(byName);
  withdraw(post, await chosenFor(post, 'hd', signal));
  expect(name((await choose(post, signal)).hd)).toBeNull();
  await expect(chosenFor(post, 'hd', signal)).rejects.toMatchObject({ key: 'option_missing' });
  expect(name((await choose(samplePost({ ...values, id: '7300000000000000002' }), signal)).hd)).toBe(
    'picture + own',
  );
});

test('offers what it cannot find out, and inspects it again the next time', async () => {
  const { choose, opened } = chooserIn(() => new BufferSource(Buffer.from('<html>')));
  expect(await choose(video, signal)).toMatchObject(all);
  expect(await choose(video, signal)).toMatchObject(all);
  expect(opened).toHaveLength(2);
});

test.each([false, true])('a platform that does not answer keeps nobody waiting', async (soundMeasured) => {
  const never: ByteSource = {
    size: null,
    hasRanges: true,
    read: (_offset, _length, ended) =>
      new Promise((_, reject) => ended.addEventListener('abort', () => reject(ended.reason))),
    stream: async function* () {},
    whole: async function* () {},
  };
  const { choose } = chooserIn(() => never, true, 50);
  expect(await choose({ ...video, soundMeasured }, signal)).toMatchObject(all);
  const joinable = samplePost({
    videos: [variant('picture', picture)],
    separateSounds: [own],
    soundMeasured,
  });
  expect(summary(await choose(joinable, signal))).toEqual(['picture + own', null, 'mp3 m4a', '']);
});

test('stops when the visitor leaves', async () => {
  const { choose } = chooserIn(() => file());
  await expect(choose(video, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});

test('a slideshow itself says whether it has a sound; for an m4a the file says what can be made of it', async () => {
  const { choose, opened } = chooserIn(() => file(), false);
  const withSound = (container: 'mp3' | 'mp4'): Post =>
    samplePost({ kind: 'photos', sound: { container, durationS: 3, source: sourceAt('sound') } });
  expect(await choose(samplePost({ kind: 'photos' }), signal)).toMatchObject(none);
  expect((await choose(withSound('mp3'), signal)).formats).toEqual(['mp3']);
  expect(opened).toHaveLength(0);
  expect((await choose(withSound('mp4'), signal)).formats).toEqual(['m4a']);
  expect(opened).toHaveLength(1);
});

const mp3 = Buffer.concat(
  Array.from({ length: 20 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])),
);
const m4a = Buffer.from(buildMp4({ frames }));
m4a.write('M4A ', 8, 'latin1');

test.each<[string, Buffer, FileChoice['formats']]>([
  ['an mp3', mp3, ['mp3']],
  ['an m4a', m4a, ['mp3', 'm4a']],
])('%s in place of a video is a song, and no video is offered', async (_, bytes, formats) => {
  const choice = await chooserIn(() => new BufferSource(bytes)).choose(video, signal);
  expect(choice).toMatchObject({ formats, isUnsupported: false, isSong: true });
  expect(listOptions(video, choice).map(({ id }) => id)).toEqual(formats);
});

test('a separate sound may be a file with sound only, and its post is a video', async () => {
  const values = { videos: [variant('picture', picture)], separateSounds: [own] };
  const choice = await chooserIn(() => new BufferSource(m4a)).choose(samplePost(values), signal);
  expect(summary(choice)).toEqual(['picture + own', null, 'mp3 m4a', '']);
  expect(choice.isSong).toBe(false);
});
