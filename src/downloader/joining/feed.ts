import { invalid } from '../media/mp4/boxes.ts';

/** Takes bytes as they come; the buffer is the taker's own. False asks for a pause until {@link Feed.resume}. */
export type Take = (chunk: Buffer) => boolean;

/** The bytes of an original in order, handed over as whoever joins them asks for them. */
export interface Feed {
  /** Offset in the original of the byte that comes next. */
  readonly position: number;
  /** Times the platform broke off and was asked again. */
  readonly resumes: number;
  /**
   * Hands over exactly so many bytes; one call at a time. Undefined when all were there already.
   * @throws Failure `media_invalid` where the file ends, `media_unavailable`, or the signal's reason
   */
  pass(length: number, take: Take): Promise<void> | undefined;
  /** The taker has room again. */
  resume(): void;
  /** Goes on further ahead. @throws as {@link pass} */
  skipTo(offset: number): Promise<void>;
  /** Whether every byte of the file was taken, also where nobody said how many there are. @throws as {@link pass} */
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

/** @throws Failure `media_invalid` for a place that lies behind */
export function checkAhead(offset: number, position: number): void {
  if (offset < position) throw invalid(`byte ${offset} after byte ${position}`);
}

/** What a file fails with that has less than its tables say. */
export function endedEarly(): Error {
  return invalid('the file ends before its tables say');
}
