import { type Arrival, watchArrival } from './arrival.ts';

/** Hands a file to the browser's own downloads; the name is for its list, should the server refuse after all. */
export function handOver(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** How long a file stays in memory for the browser's downloads, which read it at once. */
const keptMs = 60_000;

/** Hands a file that was made here to the browser's own downloads. */
export function handOverMade(file: File): void {
  const address = URL.createObjectURL(file);
  handOver(address, file.name);
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}

/** A random id for one press; `crypto.randomUUID` is absent without TLS. */
const makePress = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * Hands a file of this site to the browser's own downloads, and reports its progress.
 * @param href with a query
 * @param signal ends the reports
 * @returns a function that polls more often again, for a file that is about to finish
 */
export function handOverWatched(
  href: string,
  name: string,
  signal: AbortSignal,
  onArrival: (arrival: Arrival, missingPhotos: number) => void,
  onBytes?: (bytes: number) => void,
): () => void {
  const press = makePress();
  handOver(`${href}&press=${press}`, name);
  return watchArrival(href.replace(/\?.*/, `/arrival?press=${press}`), signal, onArrival, onBytes);
}
