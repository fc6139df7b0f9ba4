import type { ArrivalAnswer } from '../../api.ts';

/**
 * How a file gets on that the browser has: `arriving`, `saved` when all of it was sent, `broken` when its connection
 * ended before, or `late` when nothing has come for a while.
 */
export type Arrival = 'arriving' | 'saved' | 'broken' | 'late';

/** Nothing for this long, and the visitor is offered another try. */
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

async function look(address: string, signal: AbortSignal): Promise<ArrivalAnswer['result'] | null> {
  try {
    const response = await fetch(address, { signal });
    return response.ok ? ((await response.json()) as ArrivalAnswer).result : null;
  } catch (thrown) {
    // Without a network nothing is known, and nothing arrives.
    if (signal.aborted || thrown instanceof TypeError || thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/**
 * Asks the server how a file gets on, until that is decided or a few minutes have passed.
 * @param href of the file
 * @param press the name under which the browser fetches it
 * @param tell called at each change
 */
export async function watchArrival(
  href: string,
  press: string,
  signal: AbortSignal,
  tell: (arrival: Arrival) => void,
): Promise<void> {
  let told: Arrival = 'arriving';
  let bytes = 0;
  let sinceMs = performance.now();
  const say = (arrival: Arrival) => {
    if (arrival !== told) tell(arrival);
    told = arrival;
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
