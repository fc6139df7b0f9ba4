/** The spans of time that sums are kept by. */
export type Unit = 'hour' | 'day' | 'month';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The number of an hour, day or month since 1970, in UTC. @param time milliseconds since 1970 */
export function unitOf(unit: Unit, time: number): number {
  if (unit === 'hour') return Math.floor(time / hourMs);
  if (unit === 'day') return Math.floor(time / dayMs);
  const date = new Date(time);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The beginning of an hour, day or month, in milliseconds since 1970. */
export function startOf(unit: Unit, at: number): number {
  if (unit === 'hour') return at * hourMs;
  return unit === 'day' ? at * dayMs : Date.UTC(1970, at);
}

/** A day in the form `2026-11-22`. @param day days since 1970 */
export const dayName = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
