import { useSyncExternalStore } from 'react';

/** A link that worked on this device. */
export interface RecentLink {
  readonly url: string;
  readonly title: string;
}

const KEY = 'recent-links';
const KEPT = 5;
const none: readonly RecentLink[] = [];

const listeners = new Set<() => void>();
let known: { text: string | null; links: readonly RecentLink[] } = { text: null, links: none };

/** The store of this device, or null where the visitor's settings forbid it. */
function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch (thrown) {
    if (thrown instanceof DOMException) return null;
    throw thrown;
  }
}

function read(): readonly RecentLink[] {
  const text = storage()?.getItem(KEY) ?? null;
  if (text !== known.text) known = { text, links: text === null ? none : parseRecentLinks(text) };
  return known.links;
}

/** Reads what is stored; whatever is not a list of links is left out. */
function parseRecentLinks(text: string): readonly RecentLink[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return none;
    throw thrown;
  }
  if (!Array.isArray(stored)) return none;
  return stored
    .filter(
      (entry): entry is RecentLink => typeof entry?.url === 'string' && typeof entry?.title === 'string',
    )
    .slice(0, KEPT);
}

function write(links: readonly RecentLink[]): void {
  try {
    if (links.length === 0) storage()?.removeItem(KEY);
    else storage()?.setItem(KEY, JSON.stringify(links));
  } catch (thrown) {
    // A full or forbidden store only means that nothing is remembered.
    if (!(thrown instanceof DOMException)) throw thrown;
  }
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

/** The last links that worked, newest first; empty on the server. */
export function useRecentLinks(): readonly RecentLink[] {
  return useSyncExternalStore(subscribe, read, () => none);
}

/** Puts a link first; the oldest beyond five is forgotten. */
export function rememberLink(link: RecentLink): void {
  write([link, ...read().filter((other) => other.url !== link.url)].slice(0, KEPT));
}

export function forgetLinks(): void {
  write(none);
}
