import { mp3Bitrate } from '../media/mp3/layout.ts';
import type { ChosenVideo } from '../post/choose-files.ts';
import type { Post, SeparateSound, SoundTrack, VideoVariant } from '../post/post.ts';
import type { PictureWidth, TicketFile } from '../tickets/ticket-file.ts';
import type { FileChoice } from './file-choice.ts';

type OptionFormat = 'mp4' | 'mp3' | 'm4a' | 'jpg' | 'zip';

/** The option's name; the web layer translates it by its kind. */
type OptionLabel =
  | { readonly kind: 'video' | 'video_hd'; readonly resolution: number; readonly codec: 'h264' | 'h265' }
  | { readonly kind: 'mp3'; readonly kilobitsPerSecond: number | null }
  | { readonly kind: 'm4a' | 'slideshow' }
  /** `number` counts all slides from 1, `motion` is a slide's video. */
  | { readonly kind: 'picture' | 'motion'; readonly number: number; readonly count: number }
  | { readonly kind: 'zip'; readonly count: number };

/** One file that a post is offered as. */
export interface OptionDescription {
  /**
   * Stable within a post: `mp4`, `mp4-hd`, `mp3`, `m4a`, `jpg-1` …, `mp4-1` … of moving pictures, `zip`,
   * `mp4-slideshow`.
   */
  readonly id: string;
  readonly format: OptionFormat;
  readonly label: OptionLabel;
  /** Null for a zip and a moving picture. */
  readonly codec: 'h264' | 'h265' | 'mp3' | 'aac' | 'jpeg' | null;
  /** Pixels; null for sound and zip, and where the platform does not say. */
  readonly width: number | null;
  readonly height: number | null;
  /**
   * File size. For an mp4 the platform's figure, of both files for a joined one. For an mp3 of ours nearly exact, since
   * the rate is constant (the cover and the rounded-off fraction of a second are missing). For an m4a the size of its
   * separate sound. Null when unknown.
   */
  readonly bytes: number | null;
  /** The ticket's work. */
  readonly work: TicketFile;
  /** The work of its preview's ticket; pictures only. */
  readonly preview: TicketFile | null;
  /** True when we make the file: then there is progress to watch and something to cancel. */
  readonly converted: boolean;
  /** True for a video of which no part can be given. */
  readonly isWholeOnly?: boolean;
  /** True for a video that may carry the platform's watermark. */
  readonly mayBeMarked?: boolean;
}

const previewWidth: PictureWidth = 320;
const coverWidth: PictureWidth = 480;

/**
 * All options of a post, the main one first: for a video the best H.264, then HD, mp3 and m4a; for a slideshow its
 * pictures, each with its video if it moves, a zip or one video of all if possible, and its sound if it has one.
 */
export function listOptions(post: Post, choice: FileChoice): OptionDescription[] {
  return post.kind === 'video' ? videoOptions(post, choice) : slideshowOptions(post, choice);
}

/** The work for a ticket of our resized copy of the post's cover; null when it has none. */
export function coverWork(post: Post): TicketFile | null {
  return post.cover === null ? null : { kind: 'image', what: 'cover', post: refer(post), width: coverWidth };
}

/** The work for a ticket of the cover in the platform's own file; null when the post has none. */
export function coverFileWork(post: Post): TicketFile | null {
  return post.cover === null ? null : { kind: 'cover', post: refer(post) };
}

/** The work for the ticket of captions. */
export const captionsWork = (post: Post, language: string): TicketFile => ({
  kind: 'captions',
  post: refer(post),
  language,
});

/** A further encoding of a video, beside the options. */
export interface VersionDescription {
  readonly codec: 'h264' | 'h265';
  readonly width: number;
  readonly height: number;
  /** Null when unknown, as the size. */
  readonly framesPerSecond: number | null;
  readonly bytes: number | null;
  readonly work: TicketFile;
  /** True for a file that may carry the platform's watermark. */
  readonly mayBeMarked?: boolean;
}

/** Every encoding of a video, the best first. */
export function listVersions(
  post: Post,
  { default: standard, hd, versions }: FileChoice,
): VersionDescription[] {
  return versions.map((one) => {
    const { codec, width, height, framesPerSecond = null, mayBeMarked = false } = one.picture;
    const isOf = (other: ChosenVideo | null) => other?.picture === one.picture;
    const variant = isOf(standard) ? 'default' : isOf(hd) ? 'hd' : { codec, width, height };
    const work: TicketFile = { kind: 'video', post: refer(post), variant };
    const bytes = bytesOf(one.picture, one.sound);
    return { codec, width, height, framesPerSecond, bytes, work, ...(mayBeMarked && { mayBeMarked }) };
  });
}

/** Unknown sizes are 0 in a post. */
function knownSize({ width, height }: { readonly width: number; readonly height: number }) {
  return width > 0 && height > 0 ? { width, height } : { width: null, height: null };
}
const refer = ({ platform, id, egress }: Post) => ({ platform, id, ...(egress !== undefined && { egress }) });

/** What most options have in common. */
const usual = {
  ...{ codec: null, width: null, height: null, bytes: null, preview: null },
  converted: false,
} as const;

function videoOptions(post: Post, choice: FileChoice): OptionDescription[] {
  const { default: standard, hd, formats, isSong } = choice;
  // At a rate that is not ours, or not as long as the post says.
  if (isSong) return formats.map((format) => soundOption(post, format, null));
  return [
    ...(standard === null ? [] : [videoOption(post, standard, 'default', choice)]),
    ...(hd === null ? [] : [videoOption(post, hd, 'hd', choice)]),
    ...formats.map((format) =>
      soundOption(post, format, format === 'mp3' ? post.durationS : null, standard?.sound?.bytes ?? null),
    ),
  ];
}

function videoOption(
  post: Post,
  { picture, sound }: ChosenVideo,
  variant: 'default' | 'hd',
  { uncuttable = [] }: FileChoice,
): OptionDescription {
  const { codec, width, height } = picture;
  return {
    ...usual,
    id: variant === 'hd' ? 'mp4-hd' : 'mp4',
    format: 'mp4',
    label: { kind: variant === 'hd' ? 'video_hd' : 'video', resolution: Math.min(width, height), codec },
    codec,
    ...knownSize(picture),
    bytes: bytesOf(picture, sound),
    work: { kind: 'video', post: refer(post), variant },
    ...(uncuttable.includes(variant) && { isWholeOnly: true }),
    ...(picture.mayBeMarked === true && { mayBeMarked: true }),
  };
}

/** An approximation for joined files: their indexes become one. */
function bytesOf(picture: VideoVariant, sound: SeparateSound | null): number | null {
  if (sound === null || picture.bytes === null) return picture.bytes;
  return sound.bytes === null ? null : picture.bytes + sound.bytes;
}

/**
 * @param constantRateS seconds of an mp3 of ours; null when its size does not follow from the length
 * @param ownBytes size of the separate sound file, which nearly equals an m4a's; null when there is none
 */
function soundOption(
  post: Post,
  format: 'mp3' | 'm4a',
  constantRateS: number | null,
  ownBytes: number | null = null,
): OptionDescription {
  const rated =
    constantRateS !== null && constantRateS > 0 ? Math.round((constantRateS * mp3Bitrate) / 8) : null;
  return {
    ...usual,
    id: format,
    format,
    label:
      format === 'mp3'
        ? { kind: 'mp3', kilobitsPerSecond: constantRateS === null ? null : mp3Bitrate / 1000 }
        : { kind: 'm4a' },
    codec: format === 'mp3' ? 'mp3' : 'aac',
    bytes: format === 'm4a' ? ownBytes : rated,
    work: { kind: 'sound', post: refer(post), format },
    converted: true,
  };
}

function slideshowOptions(post: Post, choice: FileChoice): OptionDescription[] {
  const options = post.pictures.flatMap((_, index) => slideOptions(post, index));
  if (options.length > 0) {
    options.push({
      ...usual,
      id: 'zip',
      format: 'zip',
      label: { kind: 'zip', count: post.pictures.length },
      work: { kind: 'zip', post: refer(post) },
    });
  }
  if (choice.hasSlideshow) options.push(slideshowOption(post));
  return post.sound === null ? options : [...options, ...slideshowSound(post, post.sound, choice)];
}

/** One video of all pictures. Its size is known only when it is made. */
const slideshowOption = (post: Post): OptionDescription => ({
  ...usual,
  id: 'mp4-slideshow',
  format: 'mp4',
  label: { kind: 'slideshow' },
  codec: 'h264',
  work: { kind: 'slideshow', post: refer(post) },
  converted: true,
});

/** A slide's picture and its video, if available, under the slide's own number. */
function slideOptions(post: Post, index: number): OptionDescription[] {
  const reference = refer(post);
  const { source = null, motion = null, width = 0, height = 0 } = post.pictures[index] ?? {};
  const place = { number: index + 1, count: post.pictures.length };
  const preview: TicketFile | null =
    source === null ? null : { kind: 'image', what: 'picture', post: reference, index, width: previewWidth };
  const picture: OptionDescription = {
    ...usual,
    id: `jpg-${place.number}`,
    format: 'jpg',
    label: { kind: 'picture', ...place },
    codec: 'jpeg',
    ...knownSize({ width, height }),
    work: { kind: 'picture', post: reference, index },
    preview,
  };
  const moving: OptionDescription = {
    ...usual,
    id: `mp4-${place.number}`,
    format: 'mp4',
    label: { kind: 'motion', ...place },
    work: { kind: 'motion', post: reference, index },
    preview,
  };
  return [...(source === null ? [] : [picture]), ...(motion === null ? [] : [moving])];
}

function slideshowSound(post: Post, sound: SoundTrack, { formats }: FileChoice): OptionDescription[] {
  if (sound.container === 'mp4')
    return formats.map((format) => soundOption(post, format, format === 'mp3' ? sound.durationS : null));
  // An mp3 stays the mp3 it is, at a rate that is not ours; making an m4a of it would only lose quality.
  return [soundOption(post, 'mp3', null)];
}
