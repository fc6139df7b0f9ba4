import { type Service, services } from '../../server/tally/names.ts';
import { defineService } from '../../site/loaders/services.ts';
import { hourMs, unitOf } from '../../stores/tally/units.ts';
import type { Incident } from './incidents.ts';

/** Whether something works: `unknown` where too few have tried lately. */
export type Health = 'working' | 'troubled' | 'broken' | 'unknown';

/** How well one thing works. */
export interface KindStatus {
  readonly kind: Service;
  readonly now: Health;
  /** Share of requests that succeeded within a day, 0 to 1; null where too few have tried. */
  readonly share: number | null;
  /** By hour, for each of the last 24 hours, the oldest first. */
  readonly hours: readonly (number | null)[];
}

/** Whether the site works. */
export interface SiteStatus {
  readonly now: Health;
  /** When it was looked at, in milliseconds since 1970. */
  readonly checkedAt: number;
  readonly kinds: readonly KindStatus[];
  /** The last week's, the newest first. */
  readonly incidents: readonly Incident[];
}

export const shownHours = 24;
export const shownIncidentsMs = 7 * 24 * hourMs;

/** Fewer than so many requests say nothing: one visitor with an odd post would be a trouble. */
const fewest = 5;
/** From these shares on. */
const workingShare = 0.95;
const troubledShare = 0.5;
/** The hours that count as now: this one and the one before. */
const recentHours = 2;

/** How many requests of a service ended well or badly within an hour, and how many of them well. */
export interface HourlyOutcomes {
  /** Hours since 1970. */
  readonly at: number;
  readonly name: string;
  readonly total: number;
  readonly part: number;
}

function shareOf(hours: readonly HourlyOutcomes[]): number | null {
  const total = hours.reduce((sum, hour) => sum + hour.total, 0);
  const succeeded = hours.reduce((sum, hour) => sum + hour.part, 0);
  return total < fewest ? null : succeeded / total;
}

function healthOf(share: number | null): Health {
  if (share === null) return 'unknown';
  if (share >= workingShare) return 'working';
  return share >= troubledShare ? 'troubled' : 'broken';
}

function kindStatus(kind: Service, outcomes: readonly HourlyOutcomes[], thisHour: number): KindStatus {
  const own = outcomes.filter((one) => one.name === kind);
  const from = (hour: number) => own.filter((one) => one.at >= hour);
  return {
    kind,
    now: healthOf(shareOf(from(thisHour - recentHours + 1))),
    share: shareOf(from(thisHour - shownHours + 1)),
    hours: Array.from({ length: shownHours }, (_, at) =>
      shareOf(own.filter(({ at: hour }) => hour === thisHour - shownHours + 1 + at)),
    ),
  };
}

/** The worst comes first. */
const order: readonly Health[] = ['broken', 'troubled', 'working', 'unknown'];

/**
 * How well the site works.
 * @param outcomes of the last 24 hours
 * @param incidents of the last week
 * @param now milliseconds since 1970
 */
export function siteStatus(
  outcomes: readonly HourlyOutcomes[],
  incidents: readonly Incident[],
  now: number,
): SiteStatus {
  const kinds = services.map((kind) => kindStatus(kind, outcomes, unitOf('hour', now)));
  const isTroubled = incidents.some(({ endedAt }) => endedAt === null);
  const found: Health[] = [...kinds.map((kind) => kind.now), ...(isTroubled ? (['troubled'] as const) : [])];
  return {
    now: order.find((health) => found.includes(health)) ?? 'unknown',
    checkedAt: now,
    kinds,
    incidents,
  };
}

/** The site's health, for its page: as it was at most ten seconds ago. */
export const siteStatusService = defineService<() => Promise<SiteStatus>>('site-status');
