import type {
  MediaSource,
  Picture,
  Post,
  PostReference,
  PostStats,
  SeparateSound,
  Song,
  SoundTrack,
  VideoVariant,
} from '../../../post/post.ts';
import type { PostShape } from '../../readings.ts';
import { type ResponseShape, UnreadableResponse } from '../../unreadable.ts';
import { nameOfRefusedHost } from '../hosts.ts';
import { type CaptionFile, toCaptions } from './captions.ts';
import { chooseVideos, type VideoFile } from './choose-videos.ts';
import type { SeparateSoundFile } from './encodings.ts';
import {
  isGateway,
  isSong,
  mediaAddress,
  mediaSource,
  type Session,
  soundContainerOf,
  unknownHost,
} from './media-addresses.ts';

/** One slide of a slideshow. */
export interface PictureFile {
  readonly urls: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Candidates for its video, best first; empty for a still picture. */
  readonly motion: readonly (readonly string[])[];
}

/** The song of a post, as the response names it. */
interface SongParts {
  readonly title: string;
  readonly artist: string;
  /** False where the answer does not say. */
  readonly original: boolean;
  /** Best first. */
  readonly covers: readonly (readonly string[])[];
}

interface SoundFile {
  readonly durationS: number | null;
  readonly urls: readonly string[];
}

/** The common result of the strategies; nothing in it is checked or chosen yet. */
export interface PostParts {
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly createdAt: number | null;
  /** Null or absent where the answer does not say. */
  readonly stats?: PostStats | null;
  readonly durationS: number;
  /** Best first. */
  readonly covers: readonly (readonly string[])[];
  readonly videos: readonly VideoFile[];
  /** Null for a video. */
  readonly pictures: readonly PictureFile[] | null;
  readonly sound: SoundFile | null;
  readonly separateSounds?: readonly SeparateSoundFile[];
  readonly song: SongParts | null;
  readonly captions?: readonly CaptionFile[];
  readonly soundMeasured: boolean;
  /** Null where the answer does not say. */
  readonly savingAllowed: boolean | null;
  /** Whether the answer leaves out encodings or captions that the platform's full page may have. */
  readonly isThin: boolean;
}

export interface ReadingContext {
  readonly reference: PostReference;
  readonly session: Session;
  /** Time of the answer, ms since the epoch. */
  readonly nowMs: number;
  /** The strategy's name. */
  readonly readBy: string;
  /** Told of each form of the answer that is new. */
  readonly onShape?: ((shape: PostShape) => void) | undefined;
  /** Told of the addresses of all video files, also of those that are not chosen. */
  readonly onFiles?: ((urls: readonly string[]) => void) | undefined;
}

const maxTitle = 8_000;
const maxName = 300;
const maxPixels = 16_384;
const maxDurationS = 86_400;

/** @throws UnreadableResponse when the parts contain nothing to offer */
export function composePost(parts: PostParts, context: ReadingContext): Post {
  const { reference, readBy } = context;
  context.onFiles?.(parts.videos.flatMap(({ urls }) => urls));
  const source = (urls: readonly string[]) => toSource(urls, context);
  const handle = /^[\p{L}\p{M}\p{N}_.-]{1,128}$/u.test(parts.handle) ? parts.handle : '';
  const pictures = toPictures(parts.pictures ?? [], source);
  const hasPictures = pictures.some(isUsable);
  const videos = hasPictures ? [] : toVariants(withoutSongs(parts.videos), context);
  const songs = parts.videos.flatMap(({ urls }) => urls.filter(isSong));
  const isSlideshow = parts.pictures !== null || songs.length > 0;
  const sound = videos.length === 0 && isSlideshow ? toSound(parts.sound, songs, source) : null;
  const song = videos.length > 0 ? toSound(parts.sound, [], source) : null;
  const refusedHosts = hostsRefusedIn(parts);
  for (const name of new Set(refusedHosts.map(nameOfRefusedHost))) context.onShape?.({ kind: 'host', name });
  if (!hasPictures && videos.length === 0 && sound === null) {
    const shape = refusedHosts.length > 0 ? 'media_host' : mediaShape(parts);
    const where = refusedHosts.slice(0, 3).join(' ');
    throw new UnreadableResponse(shape, { note: `${readBy}: a post without usable media ${where}`.trim() });
  }
  const kind = videos.length > 0 ? 'video' : 'photos';
  const firstPicture = pictures.find((picture) => picture.source !== null);
  const cover = parts.covers.map(source).find((one) => one !== null) ?? firstPicture?.source ?? null;
  const path = kind === 'photos' ? 'photo' : 'video';
  const captions = toCaptions(parts.captions ?? [], source);
  return {
    platform: reference.platform,
    id: reference.id,
    // The platform shows the post under any handle, or none.
    url: `https://www.tiktok.com/@${/^[\w.-]+$/.test(handle) ? handle : ''}/${path}/${reference.id}`,
    kind,
    author: { handle, name: clean(parts.name, maxName) || handle },
    title: clean(parts.title, maxTitle),
    durationS: Math.min(parts.durationS, maxDurationS),
    cover,
    createdAt: parts.createdAt === null ? null : Math.floor(parts.createdAt),
    ...(parts.stats && { stats: parts.stats }),
    videos,
    separateSounds: kind === 'video' ? toSeparateSounds(parts.separateSounds ?? [], source) : [],
    pictures: kind === 'photos' ? pictures : [],
    // A video's sound is inside the video.
    sound,
    ...(song !== null && { songFile: song }),
    song: parts.song === null ? null : toSong(parts.song, parts, source),
    ...(captions.length > 0 && { captions }),
    soundMeasured: kind === 'video' && parts.soundMeasured,
    savingAllowed: parts.savingAllowed,
    ...(kind === 'video' && parts.isThin && { isThin: true }),
    readBy,
    ...(reference.egress !== undefined && { egress: reference.egress }),
  };
}

/** Hosts of media that are not on the list, each once. */
function hostsRefusedIn({ videos, pictures, sound, separateSounds = [] }: PostParts): string[] {
  const files = [...videos, ...(pictures ?? []), ...(sound === null ? [] : [sound]), ...separateSounds];
  const hosts = files.flatMap(({ urls }) => urls.map(unknownHost)).filter((host) => host !== null);
  return [...new Set(hosts)];
}

/** Which media are missing in a post that has nothing to offer. */
function mediaShape({ videos, pictures }: PostParts): ResponseShape {
  if (pictures !== null && pictures.length > 0) return 'picture_address';
  return videos.length === 0 ? 'media' : 'video_address';
}

type ToSource = (urls: readonly string[]) => MediaSource | null;

function toSource(urls: readonly string[], context: ReadingContext): MediaSource | null {
  const checked = urls.filter((url) => mediaAddress(url) !== null && !isGateway(url));
  return mediaSource(checked, sessionOf(context), context.nowMs);
}

const sessionOf = ({ session, reference: { egress } }: ReadingContext) => ({ ...session, egress });

function toVariants(files: readonly VideoFile[], context: ReadingContext): VideoVariant[] {
  return chooseVideos(files).flatMap(
    ({ urls, codec, tracks, quality, soundId, framesPerSecond, ...file }) => {
      const source = mediaSource(urls, sessionOf(context), context.nowMs);
      if (source === null) return [];
      return [
        {
          codec,
          ...pixels(file),
          ...amounts(file),
          tracks,
          quality,
          soundId,
          framesPerSecond: rate(framesPerSecond),
          source,
        },
      ];
    },
  );
}

const maxSeparateSounds = 8;

/** The highest rate first; each file once. */
function toSeparateSounds(files: readonly SeparateSoundFile[], source: ToSource): SeparateSound[] {
  const sounds = new Map<string, SeparateSound>();
  for (const file of files.toSorted((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))) {
    const found = source(file.urls);
    if (found !== null && !sounds.has(file.id) && sounds.size < maxSeparateSounds)
      sounds.set(file.id, { id: file.id, ...amounts(file), source: found });
  }
  return [...sounds.values()];
}

function amounts({ bytes, bitrate }: { readonly bytes: number | null; readonly bitrate: number | null }) {
  return { bytes: positiveInteger(bytes), bitrate: positiveInteger(bitrate) };
}

/** A rate that no video has is an error of the platform. */
const rate = (framesPerSecond: number | null) =>
  framesPerSecond !== null && framesPerSecond >= 1 && framesPerSecond <= 240
    ? Math.round(framesPerSecond)
    : null;

function toPictures(files: readonly PictureFile[], source: ToSource): Picture[] {
  return files.map((file) => ({
    ...pixels(file),
    source: source(withoutHeic(file.urls)),
    motion:
      file.motion.map((urls) => source(urls.filter((url) => !isSong(url)))).find((found) => found !== null) ??
      null,
  }));
}

const isUsable = ({ source, motion }: Picture) => source !== null || motion !== null;

/** Many devices cannot show HEIC: an address that names it is the last resort and may return a JPEG all the same. */
function withoutHeic(urls: readonly string[]): readonly string[] {
  const others = urls.filter((url) => !/\.hei[cf](?:\?|$)/i.test(url));
  return others.some((url) => mediaAddress(url) !== null) ? others : urls;
}

function withoutSongs(files: readonly VideoFile[]): VideoFile[] {
  return files.map((file) => ({ ...file, urls: file.urls.filter((url) => !isSong(url)) }));
}

/** The sound of a slideshow: its own file, or the song that the platform puts in a video's place. */
function toSound(sound: SoundFile | null, songs: readonly string[], source: ToSource): SoundTrack | null {
  const found = source(sound?.urls ?? []) ?? source(songs);
  if (found === null) return null;
  const durationS = sound?.durationS ?? null;
  return {
    container: soundContainerOf(found.urls),
    durationS: durationS === null ? null : Math.min(durationS, maxDurationS),
    source: found,
  };
}

/** A title without its artist is dropped: it would pass for the author's song. */
function toSong(song: SongParts, author: Pick<PostParts, 'handle' | 'name'>, source: ToSource): Song | null {
  const title = clean(song.title, maxName);
  const artist = clean(song.artist, maxName);
  if (title === '' || artist === '') return null;
  return {
    title,
    artist,
    isOriginal: song.original || isNamedAfter(author, title, artist),
    cover: song.covers.map(source).find((one) => one !== null) ?? null,
  };
}

/** Each language names a sound that a post brought along in its own words, before the author: "original sound - Ann". */
function isNamedAfter({ handle, name }: Pick<PostParts, 'handle' | 'name'>, title: string, artist: string) {
  if (/^original sound(?: |$)/i.test(title)) return true;
  const own = [handle, name].map((one) => clean(one, maxName)).filter((one) => one !== '');
  return own.includes(artist) && own.some((one) => title.endsWith(` - ${one}`));
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
