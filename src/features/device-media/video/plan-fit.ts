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

/** What a video that has to fit is made of. */
export interface FitFacts extends Size {
  readonly durationS: number;
  /** Frames a second; 30 where it is unknown. */
  readonly fps?: number | null | undefined;
}

/** The part of its bound that a file is aimed at: encoders keep their bit rate roughly. */
const aimedShare = 0.965;
/** A file that is smaller wastes what the visitor wanted to use. */
const leastShare = 0.92;
/** Of the sound, which is copied: TikTok's has 64 to 128 kbit/s. */
const soundBps = 128_000;
/** An mp4's index has some twelve bytes for each frame of picture and sound. */
const indexBytes = 12;
const soundFramesPerS = 44;

/** Bits for each pixel of a frame below which a smaller picture looks better. */
const goodDensity = 0.045;
/** Below this, no picture is worth looking at. */
const leastDensity = 0.015;
/** H.264 does not get better above this, as far as can be seen. */
const mostDensity = 0.5;
/** Lengths of a picture's shorter side that players and people know. */
const shorterSides = [1080, 720, 540, 480, 360, 240];

/** H.264 codes colour in pairs of pixels. */
const even = (length: number) => Math.max(2, 2 * Math.round(length / 2));

/** The size whose shorter side is so long, in the same form; the same where that is not smaller. */
export function scaled({ width, height }: Size, shorterSide: number): Size {
  const scale = Math.min(1, shorterSide / Math.min(width, height));
  return { width: even(width * scale), height: even(height * scale) };
}

/** The bit rate at which a video of a size loses nothing that is seen. */
export const amplyEncoded = (size: Size): Encoding => {
  const { width, height } = scaled(size, Math.min(size.width, size.height));
  return { width, height, bitrate: Math.round(width * height * 30 * 0.13) };
};

/**
 * How a video is encoded so that it fits: the bit rate follows from the length, and the picture becomes smaller where that
 * would be too little for it.
 * @param maxBytes the bound
 * @returns null where no picture that is worth looking at fits
 */
export function planFit({ durationS, fps, ...size }: FitFacts, maxBytes: number): Encoding | null {
  const rate = fps ?? 30;
  const besidesBps = soundBps + 8 * indexBytes * (rate + soundFramesPerS);
  const bitrate = (maxBytes * aimedShare * 8) / durationS - besidesBps;
  const sizes = [Math.min(size.width, size.height), ...shorterSides].map((side) => scaled(size, side));
  const density = ({ width, height }: Size) => bitrate / (width * height * rate);
  const smallest = scaled(size, shorterSides.at(-1) ?? 0);
  if (!(density(smallest) >= leastDensity)) return null;
  const chosen = sizes.find((one) => density(one) >= goodDensity) ?? smallest;
  return {
    ...chosen,
    bitrate: Math.floor(Math.min(bitrate, mostDensity * chosen.width * chosen.height * rate)),
  };
}

/**
 * What to try after a file that has so many bytes: the same picture with the bit rate that would have met the aim.
 * @returns null where another try gains nothing: it is within its bound, and used well
 */
export function planAgain(
  encoding: Encoding,
  bytes: number,
  durationS: number,
  maxBytes: number,
): Encoding | null {
  if (bytes <= maxBytes && bytes >= maxBytes * leastShare) return null;
  const soundBytes = (soundBps * durationS) / 8;
  const aimed = maxBytes * aimedShare - soundBytes;
  const bitrate = Math.floor((encoding.bitrate * aimed) / Math.max(1, bytes - soundBytes));
  return bitrate > 0 ? { ...encoding, bitrate } : null;
}
