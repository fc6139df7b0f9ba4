import type { Captions, DownloadOption } from '../../../site/api.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';

/** A 16 by 16 macroblock count above which level 4.0 ends (ITU-T H.264, table A-1). */
const mostOfLevel4 = 8192;

/** The codec string (RFC 6381) of H.264 High for pictures of a size: level 4.0, or 5.1 where that is too small. */
export const h264For = (width: number, height: number): string =>
  Math.ceil(width / 16) * Math.ceil(height / 16) > mostOfLevel4 ? 'avc1.640033' : 'avc1.640028';

/** Why a video is not made, as the page says it. */
export type Reason = 'memory' | 'space' | 'broken' | 'unreadable' | 'encoder' | 'bound';

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How a video is encoded. */
export interface Encoding extends Size {
  /** Bits a second of the picture. */
  readonly bitrate: number;
}

/** The part of its bound that a file is aimed at: encoders keep their bit rate roughly. */
const aimedShare = 0.975;
/** Bit rate of the copied sound, where it is not known: TikTok's has 64 to 128 kbit/s. */
const soundBps = 128_000;
/** An mp4's index has some twelve bytes for each frame of picture and sound. */
const indexBytes = 12;
const soundFramesPerS = 44;
const usualFps = 30;

/** Bits for each pixel of a frame below which a smaller picture looks better. */
const goodDensity = 0.045;
/** Below this, no picture is worth looking at. */
const leastDensity = 0.015;
/** H.264 that is not bound does not get better above this, as far as can be seen. */
const ampleDensity = 0.13;
/** Lengths of a picture's shorter side that players and people know. */
const shorterSides = [1080, 720, 540, 480, 360, 240];

/** H.264 codes colour in pairs of pixels. */
const even = (length: number) => Math.max(2, 2 * Math.round(length / 2));

/** The size whose shorter side is so long, in the same form; the same where that is not smaller. */
export function scaled({ width, height }: Size, shorterSide: number): Size {
  const scale = Math.min(1, shorterSide / Math.min(width, height));
  return { width: even(width * scale), height: even(height * scale) };
}

/** A picture for a share of the bits, and a few less. */
export const smallerPicture = (size: Size, share: number): Size =>
  scaled(size, Math.min(size.width, size.height) * Math.sqrt(share) * 0.95);

/** The bit rate at which a video of a size loses nothing that is seen. */
export const amplyEncoded = (size: Size): Encoding => {
  const { width, height } = scaled(size, Math.min(size.width, size.height));
  return { width, height, bitrate: Math.round(width * height * usualFps * ampleDensity) };
};

/**
 * How a video is encoded so that it fits: the bit rate follows from the length, and the picture becomes smaller where that
 * would be too little for it.
 * @param maxBytes the bound
 * @returns null where no picture that is worth looking at fits
 */
export function planFit(
  { durationS, ...size }: Size & { readonly durationS: number },
  maxBytes: number,
): Encoding | null {
  const besidesBps = soundBps + 8 * indexBytes * (usualFps + soundFramesPerS);
  const bitrate = (maxBytes * aimedShare * 8) / durationS - besidesBps;
  const sizes = [Math.min(size.width, size.height), ...shorterSides].map((side) => scaled(size, side));
  const density = ({ width, height }: Size) => bitrate / (width * height * usualFps);
  const smallest = scaled(size, shorterSides.at(-1) ?? 0);
  if (!(density(smallest) >= leastDensity)) return null;
  const chosen = sizes.find((one) => density(one) >= goodDensity) ?? smallest;
  return { ...chosen, bitrate: Math.floor(bitrate) };
}

/** Facts of a video that has arrived. */
interface PictureFacts {
  readonly durationS: number;
  readonly soundBytes: number;
  /** Of the part that is encoded. */
  readonly sourceBytes: number;
  /** Frames of picture and sound together. */
  readonly frames: number;
}

/**
 * Bytes that the picture may take so that all of the file fits; none or fewer where the sound alone takes them. No more
 * than the video itself has, or than is ample for it: that would be filling.
 */
export const pictureBudget = (
  size: Size,
  { durationS, soundBytes, sourceBytes, frames }: PictureFacts,
  maxBytes: number,
): number =>
  Math.floor(
    Math.min(
      maxBytes * aimedShare - soundBytes - frames * indexBytes,
      Math.max(sourceBytes - soundBytes, (amplyEncoded(size).bitrate * durationS) / 8),
    ),
  );

/** Another video that this browser makes of a post's. */
export interface VideoPlan {
  readonly source: DownloadOption;
  /** The part that the server cuts out of it; null for all of it. */
  readonly part: { readonly fromMs: number; readonly toMs: number } | null;
  readonly durationS: number;
  /** How the picture is encoded; null where it is copied. */
  readonly encoding: Encoding | null;
  /** Null for any size. */
  readonly maxBytes: number | null;
  readonly captions: { readonly track: Captions; readonly isBurned: boolean } | null;
  /** A sentence in the page's language: why there is no file, and what can be had. */
  explain(reason: Reason | null): string;
}

interface PlannedOption extends DownloadOption {
  readonly plan: VideoPlan;
}

/** The file's differences from others, as words of a file's name. */
function wordsOf({ part, encoding, maxBytes, captions }: VideoPlan): string[] {
  return [
    ...(part === null ? [] : [`${part.fromMs / 1000}-${part.toMs / 1000}`]),
    ...(maxBytes === null ? [] : [`${maxBytes / 1e6}mb`]),
    ...(maxBytes === null && encoding !== null ? ['h264'] : []),
    ...(captions === null
      ? []
      : [`${captions.isBurned ? 'captioned' : 'captions'}-${captions.track.language}`]),
  ];
}

/** The video as a file of the post. */
export function plannedOption(plan: VideoPlan): DownloadOption {
  const { source, encoding } = plan;
  const option: PlannedOption = {
    ...{ id: `${source.id}-${wordsOf(plan).join('-')}`, format: 'mp4', label: 'MP4', bytes: null, plan },
    codec: encoding === null ? source.codec : 'h264',
    width: encoding === null ? source.width : encoding.width,
    height: encoding === null ? source.height : encoding.height,
    // Opened in another tab, it is the video itself.
    href: source.href,
  };
  return option;
}

export const planOf = ({ option }: RequestedFile): VideoPlan | null =>
  'plan' in option ? (option as PlannedOption).plan : null;

/** The file's name, by that of the video. */
export const plannedName = (name: string, plan: VideoPlan): string =>
  [name.replace(/\.mp4$/, ''), ...wordsOf(plan)].join('-').concat('.mp4');
