import type { ArrivalResponse } from '../../api.ts';

/**
 * The progress of a file's transfer to the browser: `arriving`, `saved` when it was sent completely, `broken` when its
 * connection ended early, or `late` when no bytes have come for a while.
 */
export type Arrival = 'arriving' | 'saved' | 'broken' | 'late';

/** After this long without bytes, the visitor is offered a retry. */
const lateMs = 8000;
/** Often at first, when most files end, and then less and less. */
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
 * Polls the server for a file's progress, until it is final or a few minutes have passed.
 * @param href of the file
 * @param press the name under which the browser fetches it
 * @param onArrival called at each change
 */
export async function watchArrival(
  href: string,
  press: string,
  signal: AbortSignal,
  onArrival: (arrival: Arrival) => void,
): Promise<void> {
  let lastReported: Arrival = 'arriving';
  let bytes = 0;
  let sinceMs = performance.now();
  const say = (arrival: Arrival) => {
    if (arrival !== lastReported) onArrival(arrival);
    lastReported = arrival;
  };
  for (const ms of pausesMs) {
    await pause(ms, signal);
    const found = await look(`${href}/arrival?press=${press}`, signal);
    if (signal.aborted) return;
    if (found?.state === 'sent') return say('saved');
    if (found?.state === 'broken') return say('broken');
    if (found !== null && found.bytes > bytes) {
      bytes = found.bytes;
      sinceMs = performance.now();
      say('arriving');
    } else if (performance.now() - sinceMs >= lateMs) say('late');
  }
}
