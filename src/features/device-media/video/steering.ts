/** Bit rates of one encoder over a video that has to fit. */
export type Steering = ReturnType<typeof createSteering>;

interface SteeringFacts {
  /** Bits a second to begin with. */
  readonly bitrate: number;
  /** For all frames of the picture. */
  readonly budgetBytes: number;
  readonly durationS: number;
}

/** Corrections over a video. Each costs some encoders a key frame. */
const corrections = 16;
const leastStepS = 1;
/** How far the bit rate goes from the one at the beginning: an encoder that leaves bits needs none. */
const range = { least: 0.25, most: 4 };
/** An encoder's own error is made up for within these bounds. */
const trust = { least: 0.7, most: 1.4 };
/** Smaller changes are not worth a correction. */
const worthwhile = 0.02;

/**
 * Spreads what is left of a budget over what is left of a video, again and again: encoders miss the bit rate they are
 * given, by another share in each scene.
 */
export function createSteering({ bitrate: first, budgetBytes, durationS }: SteeringFacts) {
  const stepS = Math.max(leastStepS, durationS / corrections);
  let [bitrate, correctedS] = [first, 0];
  let [taken, asked, untilS] = [0, 0, 0];
  return {
    /** Notes a frame that was encoded. @param endS its end in the video */
    add(bytes: number, endS: number): void {
      taken += bytes;
      asked += (bitrate * Math.max(0, endS - untilS)) / 8;
      untilS = Math.max(untilS, endS);
    },
    /** The bit rate from a time on; null where it stays. */
    next(atS: number): number | null {
      const restS = durationS - untilS;
      if (atS - correctedS < stepS || untilS === 0 || restS <= 0) return null;
      correctedS = atS;
      const missed = Math.min(trust.most, Math.max(trust.least, asked / Math.max(1, taken)));
      const wanted = (Math.max(0, budgetBytes - taken) * 8 * missed) / restS;
      const next = Math.round(Math.min(first * range.most, Math.max(first * range.least, wanted)));
      if (Math.abs(next / bitrate - 1) < worthwhile) return null;
      bitrate = next;
      return next;
    },
  };
}
