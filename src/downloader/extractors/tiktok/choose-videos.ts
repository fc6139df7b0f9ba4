import type { VideoVariant } from '../../posts/post.ts';
import { isGateway, isSilentHevc, mediaAddress } from './media-addresses.ts';

/** An encoding as a strategy found it; its addresses are not checked yet. Unknown figures are 0 or null. */
export interface VideoFile {
  readonly codec: VideoVariant['codec'];
  readonly width: number;
  readonly height: number;
  readonly bytes: number | null;
  readonly bitrate: number | null;
  readonly urls: readonly string[];
}

/** Pixels of the short side up to which an H.264 file is the default: "720p" whichever way the video is held. */
const defaultShortSide = 720;

/**
 * The files worth offering, with checked addresses only: first the best H.264 of up to 720p, then what is above it,
 * best first, one for each resolution and codec. When there is no H.264 at all, the best other file is first.
 */
export function chooseVideos(files: readonly VideoFile[]): VideoFile[] {
  const checked = files.map((file) => ({
    ...file,
    urls: file.urls.filter((url) => mediaAddress(url) !== null),
  }));
  const sound = withUrls(checked, (url) => !isGateway(url) && !isSilentHevc(url));
  const usable = sound.length > 0 ? sound : withUrls(checked, (url) => !isSilentHevc(url));
  const best = onePerResolution(usable.length > 0 ? usable : withUrls(checked, () => true));
  const h264 = best.filter((file) => file.codec === 'h264');
  const first = h264.find((file) => shortSide(file) <= defaultShortSide) ?? h264.at(-1) ?? best[0];
  if (first === undefined) return [];
  return [first, ...best.filter((file) => shortSide(file) > shortSide(first))];
}

/** The same resolution the way a person holds the device. */
function shortSide(file: VideoFile): number {
  return Math.min(file.width, file.height);
}

function withUrls(files: readonly VideoFile[], keep: (url: string) => boolean): VideoFile[] {
  return files
    .map((file) => ({ ...file, urls: file.urls.filter(keep) }))
    .filter((file) => file.urls.length > 0);
}

const rank = { h264: 0, h265: 1 } as const satisfies Record<VideoFile['codec'], number>;

/** Best first: resolution, then H.264 before H.265 (it plays everywhere), then bitrate. */
function onePerResolution(files: readonly VideoFile[]): VideoFile[] {
  const chosen: VideoFile[] = [];
  const order = files.toSorted(
    (a, b) =>
      shortSide(b) - shortSide(a) || rank[a.codec] - rank[b.codec] || (b.bitrate ?? 0) - (a.bitrate ?? 0),
  );
  for (const file of order) {
    const index = chosen.findIndex((one) => one.codec === file.codec && shortSide(one) === shortSide(file));
    const twin = chosen[index];
    if (twin === undefined) chosen.push(file);
    // The default address and its gear name the same object: more mirrors.
    else if (twin.bytes !== null && twin.bytes === file.bytes) {
      chosen[index] = { ...twin, urls: [...new Set([...twin.urls, ...file.urls])] };
    }
  }
  return chosen;
}
