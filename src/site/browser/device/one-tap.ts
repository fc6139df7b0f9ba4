import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './device-storage.ts';

/** A format that can be saved with one tap: a file's id, or all photos of a post. */
export type FormatId = 'mp4' | 'mp4-hd' | 'mp3' | 'm4a' | 'photos';

const storageName = 'one-tap';

/** The stored value: `1` after the first saved file, `no` once the visitor was asked, or the format; null for none. */
export const storedStart = (): string | null => readStored(storageName);

export const storeStart = (value: string): void => writeStored(storageName, value);

const isFormat = (value: string | null): value is FormatId => /^(?:m|p)/.test(value ?? '');

let chosen: FormatId | null | undefined;
const listeners = new Set<() => void>();

/** The format that is saved as soon as a post is found; null for none. */
export function presentStart(): FormatId | null {
  if (chosen === undefined) {
    const stored = storedStart();
    chosen = isFormat(stored) ? stored : null;
  }
  return chosen;
}

/** Chooses a format for this visit, or permanently if one is stored or `isForAlways` is set. */
export function startWith(format: FormatId | null, isForAlways = isFormat(storedStart())): void {
  chosen = format;
  if (isForAlways) storeStart(format ?? 'no');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** {@link presentStart}, at each change. */
export const useStart = (): FormatId | null => useSyncExternalStore(subscribe, presentStart, () => null);
