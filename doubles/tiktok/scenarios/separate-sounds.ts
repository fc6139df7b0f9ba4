import { gear, pictureGear, post, separateSound, video } from './build.ts';
import type { MediaRule, PostScenario, VideoContent } from './scenario.ts';

/** A complete 720p file, and a silent 1080p one with a separate sound. */
function joinable(seconds: number, picture: Parameters<typeof pictureGear>[2] = {}): VideoContent {
  return video(seconds, {
    gears: [gear('normal_720_0', seconds), pictureGear('adapt_lowest_1080_1', seconds, picture)],
    sounds: [separateSound(seconds)],
  });
}

function joinFault(name: string, about: string, rule: MediaRule, seconds = 6): PostScenario {
  return post('media faults', name, about, { media: joinable(seconds) }, { media: [rule] });
}

/** Posts with silent encodings, and the cases of their sound. */
export const separateSounds: readonly PostScenario[] = [
  post('posts', 'dash-hd', 'Whole 720; 1080 as H.265 without sound, which is apart', {
    media: joinable(7),
  }),
  post('posts', 'dash-hd-fragmented', 'Whole 720; 1080 and the sound in fragments, each alone', {
    media: video(7, {
      gears: [
        gear('normal_720_0', 7),
        pictureGear('adapt_lowest_1080_1', 7, { fragmented: true }, { silentTrap: true }),
      ],
      sounds: [separateSound(7, { fragmented: true })],
    }),
  }),
  post('posts', 'dash-hd-fragmented-picture', 'Only the picture of 1080 is in fragments, its sound is not', {
    media: joinable(7, { fragmented: true }),
  }),
  post(
    'posts',
    'dash-hd-edited',
    'The sound apart begins with an edit list that leaves out its first 1,024 samples',
    {
      media: video(7, {
        gears: [gear('normal_720_0', 7), pictureGear('adapt_lowest_1080_1', 7)],
        sounds: [separateSound(7, { soundEdit: 1024 })],
      }),
    },
  ),
  post('posts', 'dash-hd-moov-last', 'Picture and sound apart, the index of each at its end', {
    media: video(7, {
      gears: [gear('normal_720_0', 7), pictureGear('adapt_lowest_1080_1', 7, { moov: 'last' })],
      sounds: [separateSound(7, { moov: 'last' })],
    }),
  }),
  post('posts', 'dash-hd-h264', 'Whole 720; 1080 as H.264 without sound, which is apart', {
    media: video(6, {
      gears: [gear('normal_720_0', 6), pictureGear('original_1080_0', 6)],
      sounds: [separateSound(6)],
    }),
  }),
  post('posts', 'dash-hd-60s', '60 seconds: whole 720, and 1080 and sound apart', { media: joinable(60) }),
  post('posts', 'dash-hd-60s-fragmented', '60 seconds: whole 720, and 1080 and sound apart in fragments', {
    media: video(60, {
      gears: [gear('normal_720_0', 60), pictureGear('adapt_lowest_1080_1', 60, { fragmented: true })],
      sounds: [separateSound(60, { fragmented: true })],
    }),
  }),
  post('posts', 'dash-hd-sound-shorter', 'The sound apart ends two seconds before the picture', {
    media: video(7, {
      gears: [gear('normal_720_0', 7), pictureGear('adapt_lowest_1080_1', 7)],
      sounds: [separateSound(5)],
    }),
  }),
  post('posts', 'dash-hd-two-sounds', 'Two sounds apart; the picture names the second, by its hash', {
    media: video(6, {
      gears: [gear('normal_720_0', 6), pictureGear('adapt_lowest_1080_1', 6, {}, { soundId: 'ffee0011' })],
      sounds: [
        separateSound(6, { sound: 'aac-lc-mono-24k' }, { bitrate: 32, quality: 'adapt_lowest' }),
        separateSound(6, {}, { id: 'ffee0011', namedBy: 'FileHash', bitrate: 128, quality: 'normal' }),
      ],
    }),
  }),
  post('posts', 'dash-hd-score', 'Two pictures of 1080: the one of fewer bits has the better score', {
    media: video(6, {
      gears: [
        gear('normal_540_0', 6, {}, { score: 81.98 }),
        pictureGear('adapt_1080_1', 6, {}, { score: 82.4 }),
        pictureGear('adapt_lowest_1080_1', 6, {}, { score: 94.29, scoreAs: 'object' }),
      ],
      sounds: [separateSound(6)],
    }),
  }),
  post('posts', 'dash-default', 'A picture of 720 as H.264 with more bits than the whole file of that size', {
    media: video(6, {
      gears: [gear('normal_720_0', 6), pictureGear('adapt_720_1', 6)],
      sounds: [separateSound(6)],
    }),
  }),
  post('posts', 'dash-beside-whole-hd', 'Whole 720 and whole 1080, beside a picture of 1080 of more bits', {
    media: video(6, {
      gears: [
        gear('normal_720_0', 6),
        gear('adapt_lowest_1080_1', 6),
        pictureGear('adapt_1080_1', 6, { fragmented: true }),
      ],
      sounds: [separateSound(6)],
    }),
  }),
  post('posts', 'dash-above-whole-hd', 'Whole 576 and whole 720, and a picture of 1080 above both', {
    media: video(6, {
      gears: [
        gear('normal_540_0', 6),
        gear('adapt_lower_720_1', 6),
        pictureGear('adapt_lowest_1080_1', 6, { fragmented: true }),
      ],
      sounds: [separateSound(6)],
    }),
  }),
  post('posts', 'dash-only', 'No file is whole: 720 as H.264 and the sound apart', {
    media: video(6, { gears: [pictureGear('adapt_720_1', 6)], sounds: [separateSound(6)] }),
  }),
  post('posts', 'dash-only-fragmented', 'No file is whole: 720, 1080 and the sound, all in fragments', {
    media: video(6, {
      gears: [
        pictureGear('adapt_720_1', 6, { fragmented: true }),
        pictureGear('adapt_lowest_1080_1', 6, { fragmented: true }),
      ],
      sounds: [separateSound(6, { fragmented: true })],
    }),
  }),
  post('posts', 'dash-snake-case', 'Encodings and sounds under the names that the app has for them', {
    media: { ...joinable(6), snakeCase: true },
  }),
  post('posts', 'dash-without-sound', 'A picture of 1080 whose sound is nowhere, above a whole 720', {
    media: video(6, { gears: [gear('normal_720_0', 6), pictureGear('adapt_lowest_1080_1', 6)] }),
  }),
  post('posts', 'dash-silent', 'Pictures alone, and no sound was measured', {
    media: video(6, { gears: [pictureGear('adapt_720_1', 6)] }),
    music: { file: 'none' },
  }),
  post('posts', 'dash-sound-lost', 'Pictures alone; a sound was measured, and is nowhere', {
    media: video(6, { gears: [pictureGear('adapt_720_1', 6)], measured: true }),
  }),
  post('posts', 'unsaid-silent-default', 'Which files are silent is not said: 720 is, 576 is not', {
    media: video(6, {
      gears: [
        gear('normal_720_0', 6, { sound: null }, { format: 'unsaid' }),
        gear('normal_540_0', 6, {}, { format: 'unsaid' }),
      ],
    }),
  }),
  post(
    'posts',
    'unsaid-silent-hd',
    'Which files are silent is not said: 1080, in fragments, is; 720 is not',
    {
      media: video(6, {
        gears: [
          gear('normal_720_0', 6, {}, { format: 'unsaid' }),
          gear('adapt_lowest_1080_1', 6, { sound: null, fragmented: true }, { format: 'unsaid' }),
        ],
      }),
    },
  ),
  post('posts', 'unsaid-joinable', 'That 1080 is a picture alone is not said; the sound is listed', {
    media: video(6, {
      gears: [
        gear('normal_720_0', 6, {}, { format: 'unsaid' }),
        gear('adapt_lowest_1080_1', 6, { sound: null }, { format: 'unsaid' }),
      ],
      sounds: [separateSound(6)],
    }),
  }),
  joinFault('dash-sound-html', 'The sound of the picture of 1080 is an HTML page', {
    on: 'sound',
    fault: { kind: 'html' },
  }),
  joinFault('dash-sound-empty', 'The sound of the picture of 1080 is empty', {
    on: 'sound',
    fault: { kind: 'empty' },
  }),
  joinFault('dash-sound-playlist', 'The sound of the picture of 1080 is a playlist', {
    on: 'sound',
    fault: { kind: 'playlist' },
  }),
  joinFault('dash-sound-refused', 'The sound of the picture of 1080 answers 403', {
    on: 'sound',
    fault: { kind: 'forbidden', bodyBytes: 506 },
  }),
  joinFault('dash-sound-never-ends', 'Nothing of the sound after its first 80 kB is ever sent', {
    on: 'sound',
    fault: { kind: 'never-past', offset: 80_000 },
  }),
  joinFault('dash-sound-closes-once', 'The first answer with the sound ends in the middle; a range goes on', {
    on: 'sound',
    times: 1,
    fault: { kind: 'transfer', fault: { kind: 'close', afterBytes: 40_000 } },
  }),
  joinFault('dash-picture-refused', 'The picture of 1080 and all else of the kind answer 403', {
    on: 'video',
    fault: { kind: 'forbidden', bodyBytes: 506 },
  }),
  post('media faults', 'dash-sound-cut', 'The sound of the picture of 1080 is half a file', {
    media: video(6, {
      gears: [gear('normal_720_0', 6), pictureGear('adapt_lowest_1080_1', 6)],
      sounds: [separateSound(6, {}, { damage: 'cut-in-half' })],
    }),
  }),
  post(
    'media faults',
    'dash-only-sound-html',
    'No file is whole, and the sound is an HTML page',
    {
      media: video(6, { gears: [pictureGear('adapt_720_1', 6)], sounds: [separateSound(6)] }),
    },
    { media: [{ on: 'sound', fault: { kind: 'html' } }] },
  ),
];
