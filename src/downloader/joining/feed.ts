import { invalid } from '../media/mp4/boxes.ts';

/** Takes bytes as they come; the taker owns the buffer. Returning false pauses until {@link Feed.resume}. */
export type Take = (chunk: Buffer) => boolean;

/** The bytes of an original in order, delivered on demand. */
export interface Feed {
  /** Offset in the original of the byte that comes next. */
  readonly position: number;
  /** How often the platform closed the connection and the feed resumed. */
  readonly resumes: number;
  /**
   * Delivers exactly this many bytes; one call at a time. Undefined when all were present already.
   * @throws Failure `media_invalid` when the file ends early, `media_unavailable`, or the signal's reason
   */
  pass(length: number, take: Take): Promise<void> | undefined;
  /** The taker has room again. */
  resume(): void;
  /** Goes on further ahead. @throws as {@link pass} */
  skipTo(offset: number): Promise<void>;
  /** Whether every byte of the file was taken, even if its size was never announced. @throws as {@link pass} */
  isOver(): boolean | Promise<boolean>;
  /** Closes its connection; what is waited for fails. */
  stop(): void;
}

/** Exactly so many bytes in one buffer. @throws as {@link Feed.pass} */
export async function readExactly(feed: Feed, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await feed.pass(length, (chunk) => {
    chunks.push(chunk);
    return true;
  });
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
