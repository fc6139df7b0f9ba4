import { Failure } from '../../failures/failures.ts';
import { mp3Bitrate } from '../media/mp3/layout.ts';
import type { Post, SoundTrack, VideoVariant } from '../posts/post.ts';
import type { PictureWidth, Work } from '../tickets/work.ts';

type OptionFormat = 'mp4' | 'mp3' | 'm4a' | 'jpg' | 'zip';

/** What an option is called; the edge puts it into the visitor's language by its kind. */
type OptionLabel =
  | { readonly kind: 'video' | 'video_hd'; readonly resolution: number; readonly codec: 'h264' | 'h265' }
  | { readonly kind: 'mp3'; readonly kilobitsPerSecond: number | null }
  | { readonly kind: 'm4a' }
  /** `number` counts all slides from 1, `motion` is a slide's video. */
  | { readonly kind: 'picture' | 'motion'; readonly number: number; readonly count: number }
  | { readonly kind: 'zip'; readonly count: number };

/** One file that a post can be had as. */
export interface OptionDescription {
  /** Stable within a post: `mp4`, `mp4-hd`, `mp3`, `m4a`, `jpg-1` …, `mp4-1` … of moving pictures, `zip`. */
  readonly id: string;
  readonly format: OptionFormat;
  readonly label: OptionLabel;
  /** Null for a zip and a moving picture. */
  readonly codec: 'h264' | 'h265' | 'mp3' | 'aac' | 'jpeg' | null;
  /** Pixels; null for sound and zip, and where the platform does not say. */
  readonly width: number | null;
  readonly height: number | null;
  /**
   * File size. For an mp4 what the platform says; for an mp3 that we encode nearly exact, because the rate is constant
   * (the tag's cover picture and the fraction of a second that the platform rounds off are missing). Null when unknown.
   */
  readonly bytes: number | null;
  /** For the ticket. */
  readonly work: Work;
  /** For the ticket of a small picture of it; pictures only. */
  readonly preview: Work | null;
  /** True when we make the file, so that there is progress to watch and something to cancel. */
  readonly converted: boolean;
}

const previewWidth: PictureWidth = 320;
const coverWidth: PictureWidth = 480;

/** What is known of the sound of a post's files before any of them is downloaded. */
export interface KnownSound {
  /** Videos without a sound, of a post that has one. */
  readonly silent: ReadonlySet<VideoVariant>;
  /** What the sound can be had as. */
  readonly formats: readonly ('mp3' | 'm4a')[];
  /** There is a sound, but nothing can be made of it. */
  readonly isUnsupported: boolean;
  /** What is called the video is a song alone. */
  readonly isSong?: boolean;
}

/** Where nothing was found out, everything is offered. */
const unknownSound: KnownSound = { silent: new Set(), formats: ['mp3', 'm4a'], isUnsupported: false };

/**
 * Everything that can be had of a post, the main choice first: for a video the best H.264, then HD, mp3 and m4a; for
 * a slideshow its pictures, each with its video when it moves, all of them as a zip, and its sound when it has one.
 */
export function listOptions(post: Post, sound: KnownSound = unknownSound): OptionDescription[] {
  return post.kind === 'video' ? videoOptions(post, sound) : slideshowOptions(post, sound);
}

/** The work for the ticket of the post's cover on our own origin; null when it has none. */
export function coverWork(post: Post): Work | null {
  return post.cover === null ? null : { kind: 'image', what: 'cover', post: refer(post), width: coverWidth };
}

/**
 * The encoding that a ticket of this variant stands for. `hd` is the largest there is above the default; of two with
 * the same size the H.264 one, since it plays everywhere.
 * @param silent files that are not to be given, since they lack the post's sound
 * @throws Failure `option_missing`
 */
export function chooseVideo(
  post: Post,
  variant: 'default' | 'hd',
  silent: ReadonlySet<VideoVariant> = unknownSound.silent,
): VideoVariant {
  const video = variant === 'default' ? post.videos[0] : bestAboveDefault(post, silent);
  if (!video) throw new Failure('option_missing', { note: `no ${variant} video` });
  return video;
}

/** The largest video above the default that is not among these; null without one. */
export function bestAboveDefault(post: Post, silent: ReadonlySet<VideoVariant>): VideoVariant | null {
  const [standard, ...others] = post.videos;
  if (standard === undefined) return null;
  return others
    .filter((other) => pixels(other) > pixels(standard) && !silent.has(other))
    .reduce<VideoVariant | null>(
      (found, other) => (found === null || isBetter(other, found) ? other : found),
      null,
    );
}

function isBetter(one: VideoVariant, other: VideoVariant): boolean {
  if (pixels(one) !== pixels(other)) return pixels(one) > pixels(other);
  if (one.codec !== other.codec) return one.codec === 'h264';
  return (one.bitrate ?? 0) > (other.bitrate ?? 0);
}

const pixels = ({ width, height }: VideoVariant) => width * height;
/** Unknown sizes are 0 in a post. */
function knownSize({ width, height }: { readonly width: number; readonly height: number }) {
  return width > 0 && height > 0 ? { width, height } : { width: null, height: null };
}
const refer = ({ platform, id, way }: Post) => ({ platform, id, ...(way !== undefined && { way }) });

function videoOptions(post: Post, sound: KnownSound): OptionDescription[] {
  const [standard] = post.videos;
  if (standard === undefined) return [];
  if (sound.isSong) return sound.formats.map((format) => soundOption(post, format, null));
  const better = bestAboveDefault(post, sound.silent);
  return [
    videoOption(post, standard, 'default'),
    ...(better === null ? [] : [videoOption(post, better, 'hd')]),
    ...sound.formats.map((format) => soundOption(post, format, format === 'mp3' ? post.durationS : null)),
  ];
}

function videoOption(post: Post, video: VideoVariant, variant: 'default' | 'hd'): OptionDescription {
  const { codec, width, height, bytes } = video;
  return {
    id: variant === 'hd' ? 'mp4-hd' : 'mp4',
    format: 'mp4',
    label: { kind: variant === 'hd' ? 'video_hd' : 'video', resolution: Math.min(width, height), codec },
    codec,
    ...knownSize(video),
    bytes,
    work: { kind: 'video', post: refer(post), variant },
    preview: null,
    converted: false,
  };
}

/** @param constantRateS seconds of an mp3 that we encode; null when the size cannot be known from the length */
function soundOption(post: Post, format: 'mp3' | 'm4a', constantRateS: number | null): OptionDescription {
  return {
    id: format,
    format,
    label:
      format === 'mp3'
        ? { kind: 'mp3', kilobitsPerSecond: constantRateS === null ? null : mp3Bitrate / 1000 }
        : { kind: 'm4a' },
    codec: format === 'mp3' ? 'mp3' : 'aac',
    width: null,
    height: null,
    bytes: constantRateS !== null && constantRateS > 0 ? Math.round((constantRateS * mp3Bitrate) / 8) : null,
    work: { kind: 'sound', post: refer(post), format },
    preview: null,
    converted: true,
  };
}

function slideshowOptions(post: Post, known: KnownSound): OptionDescription[] {
  const options = post.pictures.flatMap((_, index) => slideOptions(post, index));
  if (options.length > 0) {
    options.push({
      id: 'zip',
      format: 'zip',
      label: { kind: 'zip', count: post.pictures.length },
      codec: null,
      width: null,
      height: null,
      bytes: null,
      work: { kind: 'zip', post: refer(post) },
      preview: null,
      converted: false,
    });
  }
  return post.sound === null ? options : [...options, ...slideshowSound(post, post.sound, known)];
}

/** A slide's picture and its video, as far as they can be had, under the slide's own number. */
function slideOptions(post: Post, index: number): OptionDescription[] {
  const reference = refer(post);
  const { source = null, motion = null, width = 0, height = 0 } = post.pictures[index] ?? {};
  const place = { number: index + 1, count: post.pictures.length };
  const preview: Work | null =
    source === null ? null : { kind: 'image', what: 'picture', post: reference, index, width: previewWidth };
  const picture: OptionDescription = {
    id: `jpg-${place.number}`,
    format: 'jpg',
    label: { kind: 'picture', ...place },
    codec: 'jpeg',
    ...knownSize({ width, height }),
    bytes: null,
    work: { kind: 'picture', post: reference, index },
    preview,
    converted: false,
  };
  const moving: OptionDescription = {
    ...picture,
    id: `mp4-${place.number}`,
    format: 'mp4',
    label: { kind: 'motion', ...place },
    codec: null,
    width: null,
    height: null,
    work: { kind: 'motion', post: reference, index },
  };
  return [...(source === null ? [] : [picture]), ...(motion === null ? [] : [moving])];
}

function slideshowSound(post: Post, sound: SoundTrack, { formats }: KnownSound): OptionDescription[] {
  if (slideshowSoundContainer(sound) === 'mp4')
    return formats.map((format) => soundOption(post, format, format === 'mp3' ? sound.durationS : null));
  // An mp3 stays the mp3 it is, at a rate that is not ours; making an m4a of it would only lose quality.
  return [soundOption(post, 'mp3', null)];
}

/**
 * What a sound's addresses say about its container (`mime_type=audio_mpeg` or `audio_mp4`, or the name's ending);
 * null when they say nothing. Only for what is offered: the conversion looks at the bytes.
 */
export function slideshowSoundContainer(sound: SoundTrack): 'mp3' | 'mp4' | null {
  for (const url of sound.source.urls) {
    const [, type] = /[?&]mime_type=audio_(mpeg|mp4)(?:&|$)/.exec(url) ?? [];
    if (type !== undefined) return type === 'mp4' ? 'mp4' : 'mp3';
    const [, ending] = /^[^?#]+\.(mp3|m4a)(?:\?|$)/.exec(url) ?? [];
    if (ending !== undefined) return ending === 'm4a' ? 'mp4' : 'mp3';
  }
  return null;
}
