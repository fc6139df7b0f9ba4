/** The requested result of a conversion; sent to a process of {@link PictureProcesses}. */
export interface PictureTask {
  readonly bytes: Uint8Array;
  readonly as: 'webp' | 'jpeg';
  /** Maximum width in pixels; null keeps the size. */
  readonly width: number | null;
  /** Maximum height; without it, proportional to the width. */
  readonly height?: number;
  /** Fills exactly these pixels: the space around the picture shows a blurred copy of it. */
  readonly filled?: boolean;
  /** 1 to 100. */
  readonly quality: number;
  /** Takes a quarter of the time, for a file that is a tenth larger. */
  readonly quick?: boolean;
}

/** The picture, or the reason why there is none. */
export type PictureAnswer = MadePicture<Uint8Array> | { readonly refused: string };

/** A picture and its pixels. */
export interface MadePicture<Bytes extends Uint8Array = Buffer> {
  readonly bytes: Bytes;
  readonly width: number;
  readonly height: number;
}
