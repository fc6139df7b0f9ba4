import { describe, expect, it } from 'vitest';
import { mp3Bitrate } from '../media/mp3/layout.ts';
import { chooseFiles } from '../post/choose-files.ts';
import type { Post, SoundTrack, VideoVariant } from '../post/post.ts';
import { createTickets } from '../tickets/tickets.ts';
import { coverWork, listOptions, type OptionDescription } from './options.ts';
import { samplePost, separateSound, sourceAt, variant } from './testing/sample-post.ts';

const source = sourceAt;
const post = samplePost;

function video(
  width: number,
  height: number,
  codec: 'h264' | 'h265' = 'h264',
  bitrate: number | null = null,
): VideoVariant {
  return variant('https://example.test/v', { codec, width, height, bytes: width * height, bitrate });
}

function sound(container: SoundTrack['container']): SoundTrack {
  return { container, durationS: 30, source: source('https://example.test/a') };
}

/** The options with only the post's own facts. */
function listed(subject: Post): OptionDescription[] {
  const choice = {
    ...chooseFiles(subject),
    formats: ['mp3', 'm4a'],
    isUnsupported: false,
    isSong: false,
    versions: [],
    hasSlideshow: subject.pictures.some((slide) => slide.source !== null),
  } as const;
  return listOptions(subject, choice);
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
    const options = listed(post({ videos: [video(720, 1280), video(1080, 1920, 'h265')] }));
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
    expect(options[2]).toMatchObject({ bytes: (60 * mp3Bitrate) / 8, converted: true, codec: 'mp3' });
    expect(options[3]).toMatchObject({ bytes: null, converted: true, codec: 'aac' });
  });

  it('have no HD when nothing is larger than the default', () => {
    const options = listed(post({ videos: [video(576, 1024), video(576, 1024, 'h265')] }));
    expect(options.map(({ id }) => id)).toEqual(['mp4', 'mp3', 'm4a']);
    expect(options[0]?.label).toEqual({ kind: 'video', resolution: 576, codec: 'h264' });
  });

  it('name the short side of a landscape video and label a default that is HEVC', () => {
    const options = listed(post({ videos: [video(1280, 720, 'h265')] }));
    expect(options[0]?.label).toEqual({ kind: 'video', resolution: 720, codec: 'h265' });
  });

  it('give two joined files the bytes of both', () => {
    const large = { ...video(1080, 1920, 'h265'), tracks: 'picture' as const, bytes: 5_000 };
    const sized = post({
      videos: [video(720, 1280), large],
      separateSounds: [separateSound('a', { bytes: 70 })],
    });
    expect(listed(sized)[1]).toMatchObject({ id: 'mp4-hd', codec: 'h265', width: 1080, bytes: 5_070 });
    const unsized = post({ ...sized, separateSounds: [separateSound('a')] });
    expect(listed(unsized)[1]?.bytes).toBeNull();
  });

  it('state no size for a sound of unknown length', () => {
    const options = listed(post({ durationS: 0, videos: [video(720, 1280)] }));
    expect(options.find(({ id }) => id === 'mp3')?.bytes).toBeNull();
  });
});

describe('options of a slideshow', () => {
  it('are each picture, all pictures, and the sound', () => {
    const options = listed(post({ kind: 'photos', pictures: pictures(3), sound: sound('mp4') }));
    expect(options.map(({ id }) => id)).toEqual([
      'jpg-1',
      'jpg-2',
      'jpg-3',
      'zip',
      'mp4-slideshow',
      'mp3',
      'm4a',
    ]);
    expect(options[2]).toMatchObject({
      label: { kind: 'picture', number: 3, count: 3 },
      work: { kind: 'picture', index: 2 },
      preview: { kind: 'image', what: 'picture', index: 2 },
    });
    expect(options[5]?.bytes).toBe((30 * mp3Bitrate) / 8);
  });

  it('offer a sound that already is an mp3 only as that mp3, without a guessed size', () => {
    for (const container of ['mp3', null] as const) {
      const options = listed(post({ kind: 'photos', sound: sound(container) }));
      expect(options).toMatchObject([{ id: 'mp3', bytes: null, label: { kilobitsPerSecond: null } }]);
    }
  });

  it('keep the numbers of their slides, and include the video of each moving picture', () => {
    const file = source('https://example.test/p');
    const slide = { width: 1, height: 1, source: file, motion: null };
    const options = listed(
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
    expect(options.map(({ id }) => id)).toEqual(['jpg-1', 'jpg-3', 'mp4-3', 'mp4-4', 'zip', 'mp4-slideshow']);
    expect(options[2]).toMatchObject({
      label: { kind: 'motion', number: 3, count: 4 },
      work: { kind: 'motion', index: 2 },
      preview: { what: 'picture', index: 2 },
    });
    expect(options[3]?.preview).toBeNull();
  });

  it('contain no zip when there is nothing to put into it', () => {
    const slide = { width: 1, height: 1, source: null, motion: null };
    const options = listed(post({ kind: 'photos', pictures: [slide], sound: sound('mp3') }));
    expect(options.map(({ id }) => id)).toEqual(['mp3']);
  });

  it('contain no sound when the post has none', () => {
    const options = listed(post({ kind: 'photos', pictures: pictures(1) }));
    expect(options.map(({ id }) => id)).toEqual(['jpg-1', 'zip', 'mp4-slideshow']);
  });
});

it('put every option and the cover into a ticket', () => {
  const tickets = createTickets({ secret: Buffer.alloc(32, 1), now: () => 0 });
  const cover = coverWork(post({ cover: source('https://example.test/c') }));
  const works = [
    ...listed(post({ videos: [video(720, 1280), video(1080, 1920)] })),
    ...listed(
      post({
        kind: 'photos',
        pictures: pictures(35).map((slide) => ({ ...slide, motion: slide.source })),
        sound: sound('mp4'),
      }),
    ),
  ].flatMap(({ work, preview }) => (preview === null ? [work] : [work, preview]));
  expect(cover).not.toBeNull();
  expect(coverWork(post({}))).toBeNull();
  for (const work of cover === null ? works : [...works, cover]) {
    expect(tickets.open(tickets.sign(work))).toEqual(work);
  }
});

it('leave out a size that the platform does not state', () => {
  const picture = { width: 0, height: 0, source: source('https://example.test/p'), motion: null };
  const options = [
    ...listed(post({ videos: [video(0, 0), video(1080, 1920)] })),
    ...listed(post({ kind: 'photos', pictures: [picture] })),
  ];
  expect(options.map(({ id, width, height }) => [id, width, height])).toEqual([
    ['mp4', null, null],
    ['mp4-hd', 1080, 1920],
    ['mp3', null, null],
    ['m4a', null, null],
    ['jpg-1', null, null],
    ['zip', null, null],
    ['mp4-slideshow', null, null],
  ]);
});
