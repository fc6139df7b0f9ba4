import type { KnownInstance } from '../../server/tally/instance-store.ts';
import type { KeptShape } from '../../server/tally/shape-store.ts';
import type { NamedSum } from '../../stores/tally/tally-store.ts';

/** What alarms are looked for in. */
export interface SiteReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly instances: readonly KnownInstance[];
  /** Requests of visitors of this hour and the one before, by kind, of those who count (`WhoCounts`). */
  readonly outcomes: readonly {
    readonly kind: string;
    readonly succeeded: number;
    readonly failed: number;
  }[];
  /** Sums of this hour and the one before: `strategy`, `shape` and `answer`. */
  readonly recent: readonly NamedSum[];
  /** `answer` of the seven days before these two hours. */
  readonly before: readonly NamedSum[];
  readonly shapes: readonly KeptShape[];
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
export interface AlarmCondition {
  /** Of small letters and dashes. */
  readonly name: string;
  readonly title: string;
  /** What to do. */
  readonly advice: string;
  readonly severity: 'critical' | 'warning';
  /** It is told once it has lasted so long without a break. */
  readonly lastsMs: number;
  find(site: SiteReading): readonly Trouble[];
}
