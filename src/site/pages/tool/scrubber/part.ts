import { useEffect, useSyncExternalStore } from 'react';

interface Part {
  readonly post: string;
  readonly fromMs: number;
  /** Null for the post's own end, whose exact time is known later. */
  readonly toMs: number | null;
}

/** All scrubbers of a result show the same part. */
let present: Part | null = null;
/** Forms that make a file of the part. */
let takers = 0;
const listeners = new Set<() => void>();

function tellAll(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The part of a post that the visitor has chosen. */
export interface ChosenPart {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isWhole: boolean;
  choose(fromMs: number, toMs: number): void;
}

/** @param post its id @param lengthMs as far as known */
export function usePart(post: string, lengthMs: number): ChosenPart {
  const part = useSyncExternalStore(
    subscribe,
    () => (present?.post === post ? present : null),
    () => null,
  );
  const toMs = Math.min(part?.toMs ?? lengthMs, lengthMs);
  const fromMs = Math.min(part?.fromMs ?? 0, toMs);
  return {
    ...{ fromMs, toMs, isWhole: fromMs === 0 && toMs === lengthMs },
    choose(from, to) {
      present = { post, fromMs: from, toMs: to === lengthMs ? null : to };
      tellAll();
    },
  };
}

/** For a form that makes a file of the part: a player then has its ends, too. */
export function useTakesPart(isTaken: boolean): void {
  useEffect(() => {
    if (!isTaken) return;
    takers += 1;
    tellAll();
    return () => {
      takers -= 1;
      tellAll();
    };
  }, [isTaken]);
}

/** Whether a file can be made of a part. */
export const useIsPartTaken = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => takers > 0,
    () => false,
  );
