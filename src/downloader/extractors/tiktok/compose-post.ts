import { Failure } from '../../../failures/failures.ts';
import type {
  MediaSource,
  Picture,
  Post,
  PostReference,
  SoundTrack,
  VideoVariant,
} from '../../posts/post.ts';
import { chooseVideos, type VideoFile } from './choose-videos.ts';
import { isGateway, mediaAddress, mediaSource, type Session } from './media-addresses.ts';

export interface PictureFile {
  readonly urls: readonly string[];
  readonly width: number;
  readonly height: number;
}

interface SoundFile {
  readonly title: string;
  readonly artist: string;
  readonly durationS: number | null;
  readonly urls: readonly string[];
}

/** What the strategies have in common once their answers are read; nothing in it is checked or chosen yet. */
export interface PostParts {
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly createdAt: number | null;
  readonly durationS: number;
  /** Best first. */
  readonly covers: readonly (readonly string[])[];
  readonly videos: readonly VideoFile[];
  /** Null for a video. */
  readonly pictures: readonly PictureFile[] | null;
  readonly sound: SoundFile | null;
  readonly soundMeasured: boolean;
  readonly savingAllowed: boolean;
}

export interface ReadingContext {
  readonly reference: PostReference;
  readonly session: Session;
  /** Time of the answer, ms since the epoch. */
  readonly nowMs: number;
  /** The strategy's name. */
  readonly readBy: string;
}

const maxTitle = 8_000;
const maxName = 300;
const maxPixels = 16_384;
const maxDurationS = 86_400;

/** @throws Failure `platform_changed` when there is nothing to offer in what was read */
export function composePost(parts: PostParts, context: ReadingContext): Post {
  const { reference, readBy } = context;
  const source = (urls: readonly string[]) => toSource(urls, context);
  const handle = /^[\p{L}\p{M}\p{N}_.-]{1,128}$/u.test(parts.handle) ? parts.handle : '';
  const pictures = parts.pictures === null ? [] : toPictures(parts.pictures, source);
  const videos = parts.pictures === null ? toVariants(parts.videos, context) : [];
  if (pictures.length === 0 && videos.length === 0) {
    throw new Failure('platform_changed', { note: `${readBy}: a post without usable media` });
  }
  const kind = pictures.length > 0 ? 'photos' : 'video';
  const cover = parts.covers.map(source).find((one) => one !== null) ?? pictures[0]?.source ?? null;
  const path = kind === 'photos' ? 'photo' : 'video';
  return {
    platform: reference.platform,
    id: reference.id,
    // Any handle shows the post, and so does none.
    url: `https://www.tiktok.com/@${/^[\w.-]+$/.test(handle) ? handle : ''}/${path}/${reference.id}`,
    kind,
    author: { handle, name: clean(parts.name, maxName) || handle },
    title: clean(parts.title, maxTitle),
    durationS: Math.min(parts.durationS, maxDurationS),
    cover,
    createdAt: parts.createdAt === null ? null : Math.floor(parts.createdAt),
    videos,
    pictures,
    // A video's sound is inside the video.
    sound: kind === 'photos' && parts.sound !== null ? toSound(parts.sound, source) : null,
    soundMeasured: kind === 'video' && parts.soundMeasured,
    savingAllowed: parts.savingAllowed,
    readBy,
    ...(reference.way !== undefined && { way: reference.way }),
  };
}

type ToSource = (urls: readonly string[]) => MediaSource | null;

function toSource(urls: readonly string[], context: ReadingContext): MediaSource | null {
  const checked = urls.filter((url) => mediaAddress(url) !== null && !isGateway(url));
  return mediaSource(checked, sessionOf(context), context.nowMs);
}

const sessionOf = ({ session, reference: { way } }: ReadingContext) => ({ ...session, way });

function toVariants(files: readonly VideoFile[], context: ReadingContext): VideoVariant[] {
  return chooseVideos(files).flatMap(({ urls, codec, bytes, bitrate, ...size }) => {
    const source = mediaSource(urls, sessionOf(context), context.nowMs);
    if (source === null) return [];
    return [
      { codec, ...pixels(size), bytes: positiveInteger(bytes), bitrate: positiveInteger(bitrate), source },
    ];
  });
}

function toPictures(files: readonly PictureFile[], source: ToSource): Picture[] {
  return files.flatMap((file) => {
    const found = source(file.urls.filter((url) => !/\.heic(?:\?|$)/.test(url)));
    return found === null ? [] : [{ ...pixels(file), source: found }];
  });
}

function toSound(sound: SoundFile, source: ToSource): SoundTrack | null {
  const found = source(sound.urls);
  if (found === null) return null;
  const durationS = sound.durationS === null ? null : Math.min(sound.durationS, maxDurationS);
  return {
    title: clean(sound.title, maxName),
    artist: clean(sound.artist, maxName),
    durationS,
    source: found,
  };
}

function pixels({ width, height }: { readonly width: number; readonly height: number }) {
  return {
    width: Math.min(Math.round(width), maxPixels),
    height: Math.min(Math.round(height), maxPixels),
  };
}

function positiveInteger(value: number | null): number | null {
  return value !== null && value >= 1 && Number.isSafeInteger(Math.round(value)) ? Math.round(value) : null;
}

function clean(value: string, max: number): string {
  // Cut to a bounded length without leaving half a character behind.
  return value.slice(0, max).toWellFormed().trim();
}
