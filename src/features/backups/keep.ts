/** Numbers of days, weeks and months whose newest archives are kept. */
export interface KeepRule {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const mondayMs = 4 * dayMs;

const named = /^clipferry-(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)\.tar$/;

/** The name of an archive that is made now. @param at milliseconds since 1970 */
export const archiveName = (at: number): string =>
  `clipferry-${new Date(at).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.tar`;

/** The time in an archive's name, in milliseconds since 1970; null for another file. */
export function madeAt(name: string): number | null {
  const [, day, hours, minutes, seconds] = named.exec(name) ?? [];
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at) ? null : at;
}

/** Archives that a rule does not keep. Other files are never among them, nor is the newest archive. */
export function outdated(names: readonly string[], { days, weeks, months }: KeepRule): readonly string[] {
  const archives = names
    .flatMap((name) => {
      const at = madeAt(name);
      return at === null ? [] : [{ name, at }];
    })
    .sort((one, other) => other.at - one.at);
  const kept = new Set(archives.slice(0, 1).map(({ name }) => name));
  const keepNewest = (count: number, periodOf: (at: number) => number | string) => {
    const periods = new Set<number | string>();
    for (const { name, at } of archives) {
      const period = periodOf(at);
      if (periods.has(period)) continue;
      if (periods.size === count) return;
      periods.add(period);
      kept.add(name);
    }
  };
  keepNewest(days, (at) => Math.floor(at / dayMs));
  keepNewest(weeks, (at) => Math.floor((at - mondayMs) / (7 * dayMs)));
  keepNewest(months, (at) => new Date(at).toISOString().slice(0, 7));
  return archives.map(({ name }) => name).filter((name) => !kept.has(name));
}
