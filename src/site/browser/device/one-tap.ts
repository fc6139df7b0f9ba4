import { createStore } from '../store.ts';
import { readStored, writeStored } from './device-storage.ts';

/** A format that can be saved with one tap: a file's id, or all photos of a post. */
export type FormatId = 'mp4' | 'mp4-hd' | 'mp3' | 'm4a' | 'photos';

const storageName = 'one-tap';

/** The stored value: `1` after the first saved file, `no` once the visitor was asked, or the format; null for none. */
export const storedStart = (): string | null => readStored(storageName);

export const storeStart = (value: string): void => writeStored(storageName, value);

const isFormat = (value: string | null): value is FormatId => /^(?:m|p)/.test(value ?? '');

const chosen = createStore<FormatId | null>(null);

/** The format that is saved as soon as a post is found; null for none. */
export const presentStart = chosen.get;

/** {@link presentStart}, at each change. */
export const useStart = chosen.use;

/** Chooses a format for this visit, or permanently if one is stored or `isForAlways` is set. */
export function startWith(format: FormatId | null, isForAlways = isFormat(storedStart())): void {
  chosen.set(format);
  if (isForAlways) storeStart(format ?? 'no');
}

if (!import.meta.env.SSR) {
  const stored = storedStart();
  if (isFormat(stored)) chosen.set(stored);
}
