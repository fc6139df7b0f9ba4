import type { VideoVariant } from '../../../post/post.ts';
import { fileOf, isGateway, isPictureAlone, mediaAddress } from './media-addresses.ts';

/** An encoding as a strategy found it; its addresses are not checked yet. Unknown figures are 0 or null. */
export interface VideoFile {
  readonly codec: VideoVariant['codec'];
  readonly width: number;
  readonly height: number;
  readonly bytes: number | null;
  readonly bitrate: number | null;
  /** The platform's names: `dash` and `mp4`; empty when it gives none. */
  readonly format?: string;
  readonly quality?: number | null;
  readonly soundId?: string | null;
  readonly framesPerSecond?: number | null;
  readonly urls: readonly string[];
}

/** A file with checked addresses. */
type CheckedFile = Required<VideoFile> & Pick<VideoVariant, 'tracks'>;

/** Short side in pixels up to which an H.264 file is the default: "720p" in either orientation. */
const defaultShortSide = 720;

/**
 * The files to offer, with checked addresses only: first the best H.264 of up to 720p that may have sound, then the
 * others, best first. Files known to hold the same tracks are reduced to one for each resolution and codec; the rest
 * are all kept, since any of them may be the one with sound.
 */
export function chooseVideos(files: readonly VideoFile[]): CheckedFile[] {
  const checked = files.map((file) => ({
    ...file,
    urls: file.urls.filter((url) => mediaAddress(url) !== null),
  }));
  const direct = withUrls(checked, (url) => !isGateway(url));
  const usable = direct.length > 0 ? direct : withUrls(checked, () => true);
  const best = withoutWorse(withoutTwins(usable.map(toChecked)));
  const h264 = best.filter(({ codec, tracks }) => codec === 'h264' && tracks !== 'picture');
  const first = h264.find((file) => shortSide(file) <= defaultShortSide) ?? h264.at(-1) ?? best[0];
  return first === undefined ? [] : [first, ...best.filter((file) => file !== first)];
}

/** The shorter side, independent of orientation. */
function shortSide(file: { readonly width: number; readonly height: number }): number {
  return Math.min(file.width, file.height);
}

function withUrls(files: readonly VideoFile[], keep: (url: string) => boolean): VideoFile[] {
  return files
    .map((file) => ({ ...file, urls: file.urls.filter(keep) }))
    .filter((file) => file.urls.length > 0);
}

function toChecked(file: VideoFile): CheckedFile {
  const { format = '', quality = null, soundId = null, framesPerSecond = null } = file;
  const unmarked = file.urls.filter((url) => !isPictureAlone(url));
  const isPicture = format === 'dash' || unmarked.length === 0;
  return {
    ...file,
    format,
    quality,
    soundId,
    framesPerSecond,
    tracks: isPicture ? 'picture' : format === 'mp4' ? 'whole' : 'unknown',
    urls: unmarked.length === 0 ? file.urls : unmarked,
  };
}

const rank = { h264: 0, h265: 1 } as const satisfies Record<VideoFile['codec'], number>;
const certainty = { whole: 0, unknown: 1, picture: 2 } as const satisfies Record<
  VideoVariant['tracks'],
  number
>;

/** Best first: resolution, then H.264 before H.265 (it plays everywhere), then the platform's score, then bitrate. */
function byWorth(a: CheckedFile, b: CheckedFile): number {
  return (
    shortSide(b) - shortSide(a) ||
    rank[a.codec] - rank[b.codec] ||
    certainty[a.tracks] - certainty[b.tracks] ||
    (b.quality ?? -1) - (a.quality ?? -1) ||
    (b.bitrate ?? 0) - (a.bitrate ?? 0)
  );
}

/** The default address and its gear name the same file: more mirrors, and what is known of it from either. */
function withoutTwins(files: readonly CheckedFile[]): CheckedFile[] {
  const found: CheckedFile[] = [];
  for (const file of files) {
    const index = found.findIndex((one) => isSameFile(one, file));
    const twin = found[index];
    if (twin === undefined) found.push(file);
    else {
      const [known, other] = twin.tracks === 'unknown' ? [file, twin] : [twin, file];
      const { width, height } = shortSide(known) > 0 ? known : other;
      found[index] = { ...known, width, height, urls: [...new Set([...twin.urls, ...file.urls])] };
    }
  }
  return found;
}

function isSameFile(one: CheckedFile, other: CheckedFile): boolean {
  if (one.codec !== other.codec) return false;
  const [side, otherSide] = [shortSide(one), shortSide(other)];
  if (side !== otherSide && side !== 0 && otherSide !== 0) return false;
  const names = new Set(one.urls.map(fileOf).filter((name) => name !== null));
  return other.urls.some((url) => names.has(fileOf(url) ?? ''));
}

/** Leaves out what is never chosen: worse ones of the same size, codec and tracks, by score or without any. */
function withoutWorse(files: readonly CheckedFile[]): CheckedFile[] {
  const kinds = new Set<string>();
  return files.toSorted(byWorth).filter((file) => {
    if (file.tracks === 'unknown') return true;
    const kind = `${file.codec} ${shortSide(file)} ${file.tracks} ${file.quality !== null}`;
    const isFirst = !kinds.has(kind);
    kinds.add(kind);
    return isFirst;
  });
}
