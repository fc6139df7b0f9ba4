import { Failure } from '../../failures/failures.ts';

/** Bounds how many posts are read at the same time. */
export interface ReadingLimit {
  /** Whether one more would be refused. */
  readonly isFull: boolean;
  /**
   * Takes note of a post that is being read.
   * @returns ends it
   * @throws Failure `overloaded`
   */
  begin(): () => void;
}

interface ReadingLimitOptions {
  /** So many may be read at once, however long the platform takes. */
  readonly most?: number;
  /** So many when this process is too busy to read what has come: more would make all of them slower. */
  readonly mostWhenBusy?: number;
  /** Whether this process has as much to do as it can. */
  readonly isBusy: () => boolean;
}

/** Seconds after which another try makes sense. */
const retryAfterS = 2;

/** Makes a limit. */
export function createReadingLimit({
  most = 256,
  mostWhenBusy = 4,
  isBusy,
}: ReadingLimitOptions): ReadingLimit {
  let running = 0;
  const isFull = () => running >= most || (running >= mostWhenBusy && isBusy());
  return {
    get isFull() {
      return isFull();
    },
    begin() {
      if (isFull()) throw new Failure('overloaded', { retryAfterS, note: `${running} posts are being read` });
      running += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        running -= 1;
      };
    },
  };
}
