/** One file of a picture: the original, or a size in a format. */
export interface PictureName {
  /** Digest of the original, in hexadecimal digits. */
  readonly id: string;
  /** Pixels; 0 for the original. */
  readonly width: number;
  /** `avif`, `webp`, `jpg` or `original`. */
  readonly format: string;
}

export interface PictureFile extends PictureName {
  readonly bytes: Uint8Array;
}

const types: Readonly<Record<string, string>> = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' };

/** The type that an object store is told of a file in this format. */
export const contentTypeOf = (format: string): string => types[format] ?? 'application/octet-stream';

/** The files of the pictures in articles, of authors and of ads. What is under a name never changes. */
export interface PictureFiles {
  /** Null when it does not exist. @throws PicturesUnavailable */
  read(name: PictureName): Promise<Uint8Array | null>;
  /** Stores files; existing ones stay unchanged. @throws PicturesUnavailable */
  write(files: readonly PictureFile[]): Promise<void>;
  /** Ids of all pictures that have been written. */
  ids(): Promise<ReadonlySet<string>>;
}

/** The place of the pictures does not answer, or not in time. */
export class PicturesUnavailable extends Error {
  override readonly name = 'PicturesUnavailable';

  /** @param cause what the place said */
  constructor(cause: unknown) {
    super(`The pictures cannot be had now: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
