import type { ArrivalResponse } from '../../api.ts';

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

/**
 * The progress of a file's transfer to the browser: `arriving`, `saved` when it was sent completely, `broken` when its
 * connection ended early, or `late` when no bytes have come for a while.
 */
export type Arrival = 'arriving' | 'saved' | 'broken' | 'late';

/** After this long without bytes, the visitor is offered a retry. */
const lateMs = 8000;
/** Pauses between polls: short at first, when most files finish. */
const pausesMs = [1000, 2000, 3000, 3000, 5000, 8000, 15_000, 30_000, 60_000, 120_000];

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function look(address: string, signal: AbortSignal): Promise<ArrivalResponse['result'] | null> {
  try {
    const response = await fetch(address, { signal });
    return response.ok ? ((await response.json()) as ArrivalResponse).result : null;
  } catch (thrown) {
    // Without a network the state is unknown.
    if (signal.aborted || thrown instanceof TypeError || thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/**
 * Polls the server for a file's progress, until it has arrived or a few minutes have passed: browsers request the rest
 * of a broken transfer by themselves, also some time later.
 * @param address of the file's progress
 * @param onArrival called at each change, with the number of photos that a zip is known to lack
 * @param onBytes called with the number of bytes that have been sent
 * @returns a function that starts again with short pauses
 */
export function watchArrival(
  address: string,
  signal: AbortSignal,
  onArrival: (arrival: Arrival, missingPhotos: number) => void,
  onBytes: (bytes: number) => void = () => {},
): () => void {
  let lastReported: Arrival = 'arriving';
  let bytes = 0;
  let sinceMs = performance.now();
  /** Counts the calls of `watch`: the newest one polls. */
  let newest = 0;
  let missingPhotos = 0;
  const say = (arrival: Arrival) => {
    if (arrival !== lastReported) onArrival(arrival, missingPhotos);
    lastReported = arrival;
  };
  const take = ({ state, bytes: found, missing_photos = 0 }: ArrivalResponse['result']) => {
    missingPhotos = missing_photos;
    const hasMore = found > bytes || (state === 'sending' && lastReported === 'broken');
    if (state === 'sent' || state === 'broken') say(state === 'sent' ? 'saved' : 'broken');
    else if (hasMore) {
      sinceMs = performance.now();
      say('arriving');
    }
    if (found > bytes) onBytes(found);
    bytes = Math.max(bytes, found);
  };
  const watch = async () => {
    newest += 1;
    const own = newest;
    const isOver = () => signal.aborted || own !== newest || lastReported === 'saved';
    for (const ms of pausesMs) {
      await pause(ms, signal);
      if (isOver()) return;
      const found = await look(address, signal);
      if (isOver()) return;
      if (found !== null) take(found);
      if (lastReported === 'arriving' && performance.now() - sinceMs >= lateMs) say('late');
    }
  };
  void watch();
  return () => void watch();
}
