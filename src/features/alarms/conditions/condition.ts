import type { KnownInstance } from '../../../server/tally/instances.ts';
import type { Outcomes } from '../../../server/tally/recent-counts.ts';
import type { KeptShape } from '../../../server/tally/shapes.ts';
import type { NamedSum } from '../../../stores/tally/tally-store.ts';
import type { Runbook } from './runbooks.ts';

/** Readings in which alarms are looked for. */
export interface SiteReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly instances: readonly KnownInstance[];
  /** The last outcomes of all instances within an hour, by kind: of those who count (`WhoCounts`), and of each `link`. */
  readonly outcomes: readonly Outcomes[];
  /** Sums of this hour and the one before: `strategy`, `shape` and `answer`. */
  readonly recent: readonly NamedSum[];
  /** `answer` of the seven days before these two hours. */
  readonly before: readonly NamedSum[];
  readonly shapes: readonly KeptShape[];
  /** Why the last backup failed; null where it did not, or none is made. */
  readonly backupFailure: string | null;
  /** Why the database takes nothing; null where it does. The reading is this instance's own then. */
  readonly databaseFailure: string | null;
}

/** Something that is wrong now. */
export interface Trouble {
  /** Identifies the trouble within its condition (a strategy, a host); empty if the condition has one only. */
  readonly subject: string;
  /** One sentence with the figures. */
  readonly text: string;
}

/** When an operator is notified. `deploy/prometheus/` has the same conditions as rules. */
export interface AlarmCondition extends Runbook {
  /** Small letters and dashes. */
  readonly name: string;
  readonly severity: 'critical' | 'warning';
  /** Time that it lasts without a break before it is told. */
  readonly lastsMs: number;
  /** Time without it after which it is over; ten minutes when left out. */
  readonly quietMs?: number;
  /** It is not told while a platform cannot be read: that is one trouble. */
  readonly isFolded?: true;
  find(site: SiteReading): readonly Trouble[];
}
