import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './device-storage.ts';

/** Entries of each list. */
export const maxEntries = 5;

/**
 * Creates a short list that is stored on this device and sent nowhere, newest first.
 * @param fields of an entry, all of them texts; stored entries without them are skipped
 */
export function createDeviceList<Entry extends object>(
  name: string,
  fields: readonly (keyof Entry & string)[],
) {
  const none: readonly Entry[] = [];
  const listeners = new Set<() => void>();
  let known: { text: string | null; entries: readonly Entry[] } = { text: null, entries: none };

  const isEntry = (value: unknown): value is Entry =>
    typeof value === 'object' &&
    value !== null &&
    fields.every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

  function parse(text: string): readonly Entry[] {
    let stored: unknown;
    try {
      stored = JSON.parse(text);
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return none;
      throw thrown;
    }
    return Array.isArray(stored) ? stored.filter(isEntry).slice(0, maxEntries) : none;
  }

  function read(): readonly Entry[] {
    const text = readStored(name);
    if (text !== known.text) known = { text, entries: text === null ? none : parse(text) };
    return known.entries;
  }

  function write(entries: readonly Entry[]): void {
    writeStored(name, entries.length === 0 ? null : JSON.stringify(entries));
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    window.addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', listener);
    };
  }

  return {
    /** Its entries; empty on the server. */
    useEntries: () => useSyncExternalStore(subscribe, read, () => none),
    /** Puts an entry first and removes its older copy; only the newest five stay. */
    remember: (entry: Entry, isSame: (other: Entry) => boolean) =>
      write([entry, ...read().filter((other) => !isSame(other))].slice(0, maxEntries)),
    /** Removes entries. */
    remove: (isGone: (entry: Entry) => boolean) => write(read().filter((entry) => !isGone(entry))),
    forget: () => write(none),
  };
}
