/** This device takes longer than is worth waiting for. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Seconds of sound by which it shows: by then the browser has compiled the codecs. */
const provenByS = 10;
/** A device that is far too slow is not waited for so long, in ms of encoding. */
const patienceMs = 4000;

/** Runs a piece of the work. @param soundS seconds of sound that it encodes @throws TooSlow after it, when that is plain */
export type Measure = (soundS: number, task: () => void) => void;

/**
 * Measures how fast a sound is encoded: the work alone, not the waiting for its bytes.
 * @param leastSpeed seconds of sound in a second
 * @param proven called once, when it is fast enough
 */
export function createStopwatch(
  durationS: number,
  leastSpeed: number,
  proven: () => void,
  now: () => number = () => performance.now(),
): Measure {
  const enoughS = Math.min(provenByS, durationS / 2);
  let [spentMs, doneS, isProven] = [0, 0, false];
  return (soundS, task) => {
    const startMs = now();
    task();
    spentMs += now() - startMs;
    doneS += soundS;
    if (isProven || (doneS < enoughS && spentMs < patienceMs)) return;
    if (doneS < (spentMs / 1000) * leastSpeed) throw new TooSlow(`${spentMs} ms`);
    isProven = doneS >= enoughS;
    if (isProven) proven();
  };
}
