import type { ClipSpec } from '../clips/tracks.ts';
import { idOf } from './ids.ts';
import type {
  FileContent,
  GearContent,
  GearName,
  MediaFault,
  MediaRule,
  MusicContent,
  PageBehaviour,
  PhotosContent,
  PostContent,
  PostScenario,
  ScenarioGroup,
  SeparateSoundContent,
  SlideContent,
  VideoContent,
} from './scenario.ts';

/** Helpers that keep the list of posts short: everything not given has the usual value. */

const STREAMS = {
  normal_720_0: { video: 'h264-720', bytesPerSecond: 206_000 },
  normal_540_0: { video: 'h264-576', bytesPerSecond: 180_000 },
  normal_480_0: { video: 'h264-480', bytesPerSecond: 110_000 },
  lower_540_0: { video: 'h264-576', bytesPerSecond: 95_000 },
  original_1080_0: { video: 'h264-1080', bytesPerSecond: 400_000 },
  adapt_720_1: { video: 'h264-720', bytesPerSecond: 240_000 },
  adapt_1080_1: { video: 'hevc-1080', bytesPerSecond: 300_000 },
  adapt_lowest_1080_1: { video: 'hevc-1080', bytesPerSecond: 230_000 },
  adapt_lower_720_1: { video: 'hevc-720', bytesPerSecond: 140_000 },
  bytevc2_1080_0: { video: 'hevc-1080', bytesPerSecond: 120_000 },
} as const satisfies Record<GearName, { video: ClipSpec['video']; bytesPerSecond: number }>;

/** An encoding of usual size, with overrides. */
export function gear(
  name: GearName,
  seconds: number,
  clip: Partial<ClipSpec> = {},
  rest: Partial<Omit<GearContent, 'name' | 'file'>> & { damage?: GearContent['file']['damage'] } = {},
): GearContent {
  const { video, bytesPerSecond } = STREAMS[name];
  const usual: ClipSpec = { video, sound: 'aac-lc', seconds, bytes: Math.round(bytesPerSecond * seconds) };
  const { damage, ...others } = rest;
  return {
    name,
    file: { clip: { ...usual, ...clip }, ...(damage === undefined ? {} : { damage }) },
    ...others,
  };
}

/** A silent encoding. Its sound is that of `separateSound`, unless another is named. */
export function pictureGear(
  name: GearName,
  seconds: number,
  clip: Partial<ClipSpec> = {},
  rest: Parameters<typeof gear>[3] = {},
): GearContent {
  return gear(name, seconds, { sound: null, ...clip }, { format: 'dash', soundId: USUAL_SOUND, ...rest });
}

const USUAL_SOUND = 'a1b2c3d4e5f6';

/** A sound in a separate file. */
export function separateSound(
  seconds: number,
  clip: Partial<ClipSpec> = {},
  rest: Partial<Omit<SeparateSoundContent, 'file'>> & { damage?: FileContent['damage'] } = {},
): SeparateSoundContent {
  const { damage, ...others } = rest;
  return {
    id: USUAL_SOUND,
    bitrate: 128_000,
    quality: 'adapt_lowest',
    file: {
      clip: { video: null, sound: 'aac-lc', seconds, ...clip },
      ...(damage === undefined ? {} : { damage }),
    },
    ...others,
  };
}

/** A video with the two encodings that a good post has: 720 as H.264 and 1080 as H.265. */
export function video(seconds: number, rest: Partial<VideoContent> = {}): VideoContent {
  return {
    kind: 'video',
    seconds,
    gears: [
      gear('normal_720_0', seconds),
      gear('normal_540_0', seconds),
      gear('adapt_lowest_1080_1', seconds),
    ],
    hosts: ['v16-webapp-prime.tiktok.com', 'v19-webapp-prime.tiktok.com'],
    ...rest,
  };
}

/** A minimal video with one H.264 encoding. */
export function plainVideo(
  seconds: number,
  clip: Partial<ClipSpec> = {},
  rest: Partial<VideoContent> = {},
): VideoContent {
  return video(seconds, { gears: [gear('normal_540_0', seconds, clip)], ...rest });
}

export function photos(count: number, title = ''): PhotosContent {
  const files = [
    { file: 'picture-1.jpg', width: 1080, height: 1350 },
    { file: 'picture-2.jpg', width: 1080, height: 1436 },
    { file: 'picture-4.webp', width: 1080, height: 1080 },
    { file: 'picture-3.jpg', width: 1350, height: 1080 },
  ];
  return {
    kind: 'photos',
    title,
    pictures: Array.from({ length: count }, (_, n) => files[n % 4] ?? files[0]).filter(
      (file) => file !== undefined,
    ),
  };
}

/** Pictures of which some are special: the differences, by index. */
export function photosWith(
  count: number,
  special: Readonly<Record<number, Partial<SlideContent>>>,
): PhotosContent {
  const usual = photos(count);
  return {
    ...usual,
    pictures: usual.pictures.map((slide, index) => ({ ...slide, ...special[index] })),
  };
}

/** A few seconds of a slide's own video. */
export const moving = (seconds: number, sound: ClipSpec['sound'] = null): FileContent => ({
  clip: { video: 'h264-480', sound, seconds, bytes: 110_000 * seconds },
});

export type PostChange = Partial<Omit<PostContent, 'music'>> & { readonly music?: Partial<MusicContent> };

/** A public post that any reader can read. */
export function post(
  group: ScenarioGroup,
  name: string,
  about: string,
  change: PostChange = {},
  behaviour: Partial<Pick<PostScenario, 'page' | 'pageReads' | 'player' | 'embed' | 'oembed' | 'media'>> = {},
): PostScenario {
  const media = change.media ?? video(7);
  return {
    name,
    about,
    group,
    id: idOf(name),
    post: {
      handle: 'ferry.captain',
      nickname: 'The Ferry Captain',
      text: `${about} #ferry #double`,
      authorMissing: false,
      downloadSetting: 0,
      ageGate: 'none',
      ...change,
      media,
      music: {
        title: 'original sound - The Ferry Captain',
        artist: 'The Ferry Captain',
        seconds: media.kind === 'video' ? media.seconds : 20,
        file: 'mp3',
        ...change.music,
      },
    },
    page: { kind: 'post' },
    pageReads: Number.POSITIVE_INFINITY,
    player: 'found',
    embed: 'found',
    oembed: 'found',
    media: [],
    ...behaviour,
  };
}

/** A post that the platform refuses to show, with its status code and message. */
export function refusal(
  name: string,
  about: string,
  code: number,
  message: string,
  oembed: 'found' | 'gone' = 'gone',
): PostScenario {
  return post(
    'refusals',
    name,
    about,
    { media: plainVideo(5) },
    { page: { kind: 'status', code, message }, player: 'nil', embed: 'gone', oembed },
  );
}

/** An existing post whose page reports a temporary error; player and embed page fail too. */
export function platformError(name: string, about: string, code: number, message = ''): PostScenario {
  return post(
    'refusals',
    name,
    about,
    { media: plainVideo(5) },
    { page: { kind: 'status', code, message }, player: 'busy', embed: 'error', oembed: 'found' },
  );
}

/**
 * Two posts for one page fault: one whose player and embed page still work, and one (`…-everywhere`) that fails
 * everywhere.
 */
export function pageFault(name: string, about: string, page: PageBehaviour): PostScenario[] {
  const media = plainVideo(5);
  return [
    post('page faults', name, about, { media }, { page }),
    post(
      'page faults',
      `${name}-everywhere`,
      `${about}; player and embed page are down too`,
      { media },
      { page, player: 'error', embed: 'error', oembed: 'gone' },
    ),
  ];
}

/** A post whose video is served with faults. */
export function mediaFault(
  name: string,
  about: string,
  fault: MediaFault,
  rule: Partial<Omit<MediaRule, 'fault'>> = {},
  content: VideoContent = plainVideo(10),
): PostScenario {
  return post('media faults', name, about, { media: content }, { media: [{ on: 'video', fault, ...rule }] });
}

/** A post whose video breaks off after 400 kB when it is first asked for whole, and what becomes of the rest then. */
export const breakingOff = (
  name: string,
  about: string,
  ...then: readonly Omit<MediaRule, 'on'>[]
): PostScenario =>
  post(
    'media faults',
    name,
    `The video breaks off at first; ${about}`,
    { media: plainVideo(10) },
    {
      media: [
        {
          ranges: 'whole',
          times: 1,
          fault: { kind: 'transfer', fault: { kind: 'close', afterBytes: 400_000 } },
        } as const,
        ...then,
      ].map((rule) => ({ on: 'video', ...rule })),
    },
  );
