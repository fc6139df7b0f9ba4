import { invalid } from '../media/mp4/boxes.ts';

/** The bytes of an original in order, read on demand. */
export interface Feed {
  /** Offset in the original of the byte that comes next. */
  readonly position: number;
  /** How often the platform closed the connection and the feed resumed. */
  readonly resumes: number;
  /** The next bytes, at most this many, if any are present; else null. The caller owns them. */
  take(most: number): Buffer | null;
  /**
   * Resolves when bytes are present; one call at a time.
   * @throws Failure `media_invalid` when the file ends early, `media_unavailable`, or the signal's reason
   */
  fill(): Promise<void>;
  /** Goes on further ahead. @throws as {@link fill} */
  skipTo(offset: number): Promise<void>;
  /** Whether every byte of the file was taken, even if its size was never announced. @throws as {@link fill} */
  isOver(): boolean | Promise<boolean>;
  /** Closes its connection; what is waited for fails. */
  stop(): void;
}

/** Exactly so many bytes in one buffer. @throws as {@link Feed.fill} */
export async function readExactly(feed: Feed, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = length; left > 0; ) {
    const chunk = feed.take(left);
    if (chunk === null) await feed.fill();
    else chunks.push(chunk);
    left -= chunk?.length ?? 0;
  }
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

/** @throws Failure `media_invalid` for an earlier position */
export function checkAhead(offset: number, position: number): void {
  if (offset < position) throw invalid(`byte ${offset} after byte ${position}`);
}

/** The error for a file that is shorter than its tables claim. */
export function endedEarly(): Error {
  return invalid('the file ends before its tables say');
}
