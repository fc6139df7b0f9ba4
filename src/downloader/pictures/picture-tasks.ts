/** What a picture is to become; sent to a process of {@link PictureProcesses}. */
export interface PictureTask {
  readonly bytes: Uint8Array;
  readonly as: 'webp' | 'jpeg';
  /** Pixels at most; null keeps the size. */
  readonly width: number | null;
  /** 1 to 100. */
  readonly quality: number;
}

/** The picture, or why there is none. */
export type PictureAnswer = { readonly bytes: Uint8Array } | { readonly refused: string };
