/** What a picture is to become; sent to a process of {@link PictureProcesses}. */
export interface PictureTask {
  readonly bytes: Uint8Array;
  readonly as: 'webp' | 'jpeg';
  /** Pixels at most; null keeps the size. */
  readonly width: number | null;
  /** The same; as high as its width makes it when left out. */
  readonly height?: number;
  /** Has exactly these pixels: what the picture leaves free is a blurred copy of it. */
  readonly filled?: boolean;
  /** 1 to 100. */
  readonly quality: number;
  /** Takes a quarter of the time, for a file that is a tenth larger. */
  readonly quick?: boolean;
}

/** The picture, or why there is none. */
export type PictureAnswer = MadePicture<Uint8Array> | { readonly refused: string };

/** A picture and its pixels. */
export interface MadePicture<Bytes extends Uint8Array = Buffer> {
  readonly bytes: Bytes;
  readonly width: number;
  readonly height: number;
}
