import { Failure } from '../../failures/failures.ts';

/** Bounds how many posts are read at the same time. */
export type ReadingLimit = ReturnType<typeof createReadingLimit>;

interface ReadingLimitOptions {
  /** Maximum number of concurrent readings, however long the platform takes. */
  readonly most?: number;
  /** The maximum when this process is too busy to parse responses: more readings would slow down all of them. */
  readonly mostWhenBusy?: number;
  /** Whether this process has as much to do as it can. */
  readonly isBusy: () => boolean;
}

/** Seconds after which another try makes sense. */
const retryAfterS = 2;

/** Makes a limit. */
export function createReadingLimit({ most = 256, mostWhenBusy = 4, isBusy }: ReadingLimitOptions) {
  let running = 0;
  const isFull = () => running >= most || (running >= mostWhenBusy && isBusy());
  return {
    /** Whether one more would be refused. */
    get isFull(): boolean {
      return isFull();
    },
    /**
     * Counts a post that is being read.
     * @returns a function that ends it
     * @throws Failure `overloaded`
     */
    begin(): () => void {
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
