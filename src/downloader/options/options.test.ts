import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { MediaSource, Post, SoundTrack, VideoVariant } from '../posts/post.ts';
import { createTickets } from '../tickets/tickets.ts';
import { chooseVideo, coverWork, listOptions } from './options.ts';

const source = (url: string): MediaSource => ({ urls: [url], headers: {}, expiresAt: 0 });

function video(
  width: number,
  height: number,
  codec: 'h264' | 'h265' = 'h264',
  bitrate: number | null = null,
): VideoVariant {
  return { codec, width, height, bytes: width * height, bitrate, source: source('https://example.test/v') };
}

function sound(mimeType: string): SoundTrack {
  return {
    title: 'Song',
    artist: 'Singer',
    durationS: 30,
    source: source(`https://example.test/a?x=1&mime_type=${mimeType}&y=2`),
  };
}

function post(values: Partial<Post>): Post {
  return {
    platform: 'tiktok',
    id: '7300000000000000001',
    url: 'https://www.tiktok.com/@someone/video/7300000000000000001',
    kind: 'video',
    author: { handle: 'someone', name: 'Someone' },
    title: 'A text',
    durationS: 60,
    cover: null,
    createdAt: null,
    videos: [],
    pictures: [],
    sound: null,
    soundMeasured: false,
    savingAllowed: true,
    readBy: 'page',
    ...values,
  };
}

const pictures = (count: number) =>
  Array.from({ length: count }, () => ({
    width: 1080,
    height: 1350,
    source: source('https://example.test/p'),
    motion: null,
  }));

describe('options of a video', () => {
  it('are the default mp4, HD, mp3 and m4a, in this order', () => {
    const options = listOptions(post({ videos: [video(720, 1280), video(1080, 1920, 'h265')] }));
    expect(options.map(({ id }) => id)).toEqual(['mp4', 'mp4-hd', 'mp3', 'm4a']);
    expect(options[0]).toMatchObject({
      codec: 'h264',
      width: 720,
      height: 1280,
      bytes: 720 * 1280,
      converted: false,
    });
    expect(options[1]).toMatchObject({
      codec: 'h265',
      label: { kind: 'video_hd', resolution: 1080, codec: 'h265' },
    });
    expect(options[2]).toMatchObject({ bytes: 960_000, converted: true, codec: 'mp3' });
    expect(options[3]).toMatchObject({ bytes: null, converted: true, codec: 'aac' });
  });

  it('have no HD where nothing is larger than the default', () => {
    const options = listOptions(post({ videos: [video(576, 1024), video(576, 1024, 'h265')] }));
    expect(options.map(({ id }) => id)).toEqual(['mp4', 'mp3', 'm4a']);
    expect(options[0]?.label).toEqual({ kind: 'video', resolution: 576, codec: 'h264' });
  });

  it('name the short side of a landscape video and label a default that is HEVC', () => {
    const options = listOptions(post({ videos: [video(1280, 720, 'h265')] }));
    expect(options[0]?.label).toEqual({ kind: 'video', resolution: 720, codec: 'h265' });
  });

  it('say no size for a sound whose length is unknown', () => {
    const options = listOptions(post({ durationS: 0, videos: [video(720, 1280)] }));
    expect(options.find(({ id }) => id === 'mp3')?.bytes).toBeNull();
  });
});

describe('the HD encoding', () => {
  it('is the largest; of equals the H.264 one, then the one with the higher rate', () => {
    const large = [video(1080, 1920, 'h265', 9), video(1080, 1920, 'h264', 4), video(1080, 1920, 'h264', 5)];
    const chosen = chooseVideo(post({ videos: [video(720, 1280), video(810, 1440), ...large] }), 'hd');
    expect(chosen).toBe(large[2]);
  });

  it('is missing, as a typed failure, where the post has none', () => {
    const run = () => chooseVideo(post({ videos: [video(720, 1280)] }), 'hd');
    expect(run).toThrow(Failure);
    expect(run).toThrow(/option_missing/);
    expect(() => chooseVideo(post({ kind: 'photos' }), 'default')).toThrow(/option_missing/);
  });

  it('is offered exactly when it can be chosen', () => {
    const size = fc.integer({ min: 1, max: 3 });
    const variant = fc.tuple(size, size, fc.constantFrom('h264' as const, 'h265' as const), fc.option(size));
    fc.assert(
      fc.property(
        fc.array(
          variant.map((values) => video(...values)),
          { maxLength: 5 },
        ),
        (videos) => {
          const subject = post({ videos });
          for (const option of listOptions(subject)) {
            if (option.work.kind !== 'video') continue;
            const { width, height, codec } = chooseVideo(subject, option.work.variant);
            expect(option).toMatchObject({ width, height, codec });
          }
          const ids = listOptions(subject).map(({ id }) => id);
          if (!ids.includes('mp4-hd')) expect(() => chooseVideo(subject, 'hd')).toThrow(/option_missing/);
        },
      ),
    );
  });
});

describe('options of a slideshow', () => {
  it('are each picture, all of them, and the sound', () => {
    const options = listOptions(post({ kind: 'photos', pictures: pictures(3), sound: sound('audio_mp4') }));
    expect(options.map(({ id }) => id)).toEqual(['jpg-1', 'jpg-2', 'jpg-3', 'zip', 'mp3', 'm4a']);
    expect(options[2]).toMatchObject({
      label: { kind: 'picture', number: 3, count: 3 },
      work: { kind: 'picture', index: 2 },
      preview: { kind: 'image', what: 'picture', index: 2 },
    });
    expect(options[4]?.bytes).toBe(480_000);
  });

  it('offer a sound that is an mp3 already as that mp3 only, without a guess at its size', () => {
    for (const type of ['audio_mpeg', 'something']) {
      const options = listOptions(post({ kind: 'photos', sound: sound(type) }));
      expect(options).toMatchObject([{ id: 'mp3', bytes: null, label: { kilobitsPerSecond: null } }]);
    }
  });

  it('keep the numbers of their slides, and each picture that moves has its video', () => {
    const file = source('https://example.test/p');
    const slide = { width: 1, height: 1, source: file, motion: null };
    const options = listOptions(
      post({
        kind: 'photos',
        pictures: [
          slide,
          { ...slide, source: null },
          { ...slide, motion: file },
          { ...slide, source: null, motion: file },
        ],
      }),
    );
    expect(options.map(({ id }) => id)).toEqual(['jpg-1', 'jpg-3', 'mp4-3', 'mp4-4', 'zip']);
    expect(options[2]).toMatchObject({
      label: { kind: 'motion', number: 3, count: 4 },
      work: { kind: 'motion', index: 2 },
      preview: { what: 'picture', index: 2 },
    });
    expect(options[3]?.preview).toBeNull();
  });

  it('are no zip where there is nothing to put into one', () => {
    const slide = { width: 1, height: 1, source: null, motion: null };
    const options = listOptions(post({ kind: 'photos', pictures: [slide], sound: sound('audio_mpeg') }));
    expect(options.map(({ id }) => id)).toEqual(['mp3']);
  });

  it('have no sound where the post has none', () => {
    const options = listOptions(post({ kind: 'photos', pictures: pictures(1) }));
    expect(options.map(({ id }) => id)).toEqual(['jpg-1', 'zip']);
  });
});

it('every option and the cover can be put into a ticket', () => {
  const tickets = createTickets({ secret: Buffer.alloc(32, 1), now: () => 0 });
  const cover = coverWork(post({ cover: source('https://example.test/c') }));
  const works = [
    ...listOptions(post({ videos: [video(720, 1280), video(1080, 1920)] })),
    ...listOptions(
      post({
        kind: 'photos',
        pictures: pictures(35).map((slide) => ({ ...slide, motion: slide.source })),
        sound: sound('audio_mp4'),
      }),
    ),
  ].flatMap(({ work, preview }) => (preview === null ? [work] : [work, preview]));
  expect(cover).not.toBeNull();
  expect(coverWork(post({}))).toBeNull();
  for (const work of cover === null ? works : [...works, cover]) {
    expect(tickets.open(tickets.sign(work))).toEqual(work);
  }
});

it('leaves out a size that the platform does not say', () => {
  const picture = { width: 0, height: 0, source: source('https://example.test/p'), motion: null };
  const options = [
    ...listOptions(post({ videos: [video(0, 0), video(1080, 1920)] })),
    ...listOptions(post({ kind: 'photos', pictures: [picture] })),
  ];
  expect(options.map(({ id, width, height }) => [id, width, height])).toEqual([
    ['mp4', null, null],
    ['mp4-hd', 1080, 1920],
    ['mp3', null, null],
    ['m4a', null, null],
    ['jpg-1', null, null],
    ['zip', null, null],
  ]);
});
