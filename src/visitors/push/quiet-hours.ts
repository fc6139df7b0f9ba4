const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Nobody is woken between ten in the evening and eight in the morning, by their own clock. */
const quiet = { fromHour: 22, toHour: 8 };

/**
 * When a subscriber may be sent something.
 * @param now milliseconds since 1970
 * @param diffTimeS seconds by which the subscriber's clock is ahead of UTC
 * @returns now, or the end of their night
 */
export function wakingTime(now: number, diffTimeS: number): number {
  const local = now + diffTimeS * 1000;
  const sinceMidnight = ((local % dayMs) + dayMs) % dayMs;
  if (sinceMidnight >= quiet.fromHour * hourMs) return now + dayMs - sinceMidnight + quiet.toHour * hourMs;
  return sinceMidnight < quiet.toHour * hourMs ? now + quiet.toHour * hourMs - sinceMidnight : now;
}
