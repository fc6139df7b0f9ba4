/** The range of a file that a successful response sends. */
export interface Given {
  readonly etag: string | null;
  /** Length of the whole file, in bytes; null when unknown. */
  readonly size: number | null;
  /** The first byte. */
  readonly start: number;
  /** One past the last byte; null when nobody knows. */
  readonly end: number | null;
}

/** More pieces of one file than a download program fetches side by side: what lies apart beyond is forgotten. */
const mostPieces = 16;

/** The bytes of one file that were sent. */
class SentBytes {
  readonly #etag: string | null;
  readonly #size: number | null;
  /** First byte and one past the last of each piece: apart from each other, in order. */
  #pieces: readonly (readonly [start: number, end: number])[] = [];

  constructor({ etag, size }: Given) {
    this.#etag = etag;
    this.#size = size;
  }

  /** Whether a response is of the same file: bytes of two files, or of one that has changed, make none. */
  isOf({ etag, size }: Given): boolean {
    return etag !== null && etag === this.#etag && size === this.#size;
  }

  add(start: number, end: number): void {
    if (end <= start) return;
    const apart = this.#pieces.filter((piece) => piece[1] < start || piece[0] > end);
    const touching = this.#pieces.filter((piece) => piece[1] >= start && piece[0] <= end).flat();
    const joined = [Math.min(start, ...touching), Math.max(end, ...touching)] as const;
    this.#pieces = [...apart, joined].toSorted(([one], [other]) => one - other).slice(0, mostPieces);
  }

  get bytes(): number {
    return this.#pieces.reduce((sum, [start, end]) => sum + end - start, 0);
  }

  get isWhole(): boolean {
    return this.#size !== null && this.bytes === this.#size;
  }
}

/** One response to a request for the file. */
export interface Answer {
  /** Its head, before any byte: null for everything that is no file and no part of one. */
  gives(given: Given | null): void;
  /** Adds further written bytes of its body. */
  wrote(bytes: number): void;
  /** Its connection is done with it. @param isFinished whether nothing of it was left */
  end(isFinished: boolean): void;
}

/**
 * How a file gets on that a browser asks for as often as it likes: the whole, the rest after a break, parts side by side.
 * It is sent once every one of its bytes was in a successful response, and stays so; an error or a break takes nothing
 * away of what was sent.
 */
export class Transfer {
  /** Photos that the file, a zip, lacks. */
  missingPhotos = 0;
  #running = 0;
  /** The file of the newest successful response. */
  #file: SentBytes | null = null;
  #sentBytes: number | null = null;

  get state(): 'sending' | 'sent' | 'broken' {
    if (this.#sentBytes !== null) return 'sent';
    return this.#running > 0 ? 'sending' : 'broken';
  }

  /** Bytes of the file that were sent, each counted once. */
  get bytes(): number {
    return this.#sentBytes ?? this.#file?.bytes ?? 0;
  }

  /** Begins another response. */
  begin(): Answer {
    this.#running += 1;
    let part: { readonly given: Given; readonly file: SentBytes } | null = null;
    let written = 0;
    /** Without its end a response may have lost what was written last: then its last byte does not count. */
    const add = (isFinished: boolean) => {
      if (part === null) return;
      const { start, end } = part.given;
      const last = end === null ? Number.POSITIVE_INFINITY : end - (isFinished ? 0 : 1);
      part.file.add(start, Math.min(start + written, last));
    };
    return {
      gives: (given) => {
        if (given === null) return;
        if (this.#file?.isOf(given) !== true) this.#file = new SentBytes(given);
        part = { given, file: this.#file };
      },
      wrote: (bytes) => {
        written += bytes;
        add(false);
      },
      end: (isFinished) => {
        this.#running -= 1;
        if (isFinished) add(true);
        if (part === null) return;
        const { given, file } = part;
        const isAllOfUnknown = isFinished && given.size === null && given.end === null;
        if (file.isWhole || isAllOfUnknown) this.#sentBytes = file.bytes;
      },
    };
  }
}
