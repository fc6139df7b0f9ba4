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
