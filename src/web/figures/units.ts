/** What figures are summed up by. */
export type Unit = 'hour' | 'day' | 'month';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Tables by their units, all of one form. */
export const unitTables = {
  hour: 'hourly_figures',
  day: 'daily_figures',
  month: 'monthly_figures',
} as const;

/** The number of an hour, day or month since 1970, in UTC. @param time milliseconds since 1970 */
export function unitOf(unit: Unit, time: number): number {
  if (unit === 'hour') return Math.floor(time / hourMs);
  if (unit === 'day') return Math.floor(time / dayMs);
  const date = new Date(time);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** When an hour, day or month begins, as milliseconds since 1970. */
export function startOf(unit: Unit, at: number): number {
  if (unit === 'hour') return at * hourMs;
  return unit === 'day' ? at * dayMs : Date.UTC(1970, at);
}
