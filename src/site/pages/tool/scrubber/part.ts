import { useEffect } from 'react';
import { createStore } from '../../../browser/store.ts';

interface Part {
  readonly post: string;
  readonly fromMs: number;
  /** Null for the post's own end, whose exact time is known later. */
  readonly toMs: number | null;
}

/** All scrubbers of a result show the same part. */
const present = createStore<Part | null>(null);
/** Forms that make a file of the part. */
const takers = createStore(0);

export type ChosenPart = ReturnType<typeof usePart>;

/** The part of a post that the visitor has chosen. @param post its id @param lengthMs as far as known */
export function usePart(post: string, lengthMs: number) {
  const shown = present.use();
  const part = shown?.post === post ? shown : null;
  const toMs = Math.min(part?.toMs ?? lengthMs, lengthMs);
  const fromMs = Math.min(part?.fromMs ?? 0, toMs);
  return {
    ...{ fromMs, toMs, isWhole: fromMs === 0 && toMs === lengthMs },
    choose(from: number, to: number) {
      present.set({ post, fromMs: from, toMs: to === lengthMs ? null : to });
    },
  };
}

/** For a form that makes a file of the part: a player then has its ends, too. */
export function useTakesPart(isTaken: boolean): void {
  useEffect(() => {
    if (!isTaken) return;
    takers.set(takers.get() + 1);
    return () => takers.set(takers.get() - 1);
  }, [isTaken]);
}

/** Whether a file can be made of a part. */
export const useIsPartTaken = (): boolean => takers.use() > 0;
