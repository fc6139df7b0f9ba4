import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** The site's services, as the status page lists them. */
export const outcomeKinds = ['links', 'videos', 'sounds', 'photos'] as const;

export type OutcomeKind = (typeof outcomeKinds)[number];

/** The outcomes of requests of a kind within an hour. */
export interface HourlyOutcomes {
  /** Hours since 1970. */
  readonly hour: number;
  readonly kind: OutcomeKind;
  readonly succeeded: number;
  /** Failures of the platform or the site; a visitor's mistake is neither. */
  readonly failed: number;
}

/** The outcomes of requests by hour, of all instances together. */
export interface OutcomeStore {
  /** Adds to an hour, and deletes hours of long ago. */
  add(outcomes: HourlyOutcomes): Promise<void>;
  /** Everything from an hour on. */
  since(hour: number): Promise<readonly HourlyOutcomes[]>;
}

/** The status page shows a day; an operator may look back on a month. */
const retentionHours = 31 * 24;

const isKind = (text: string): text is OutcomeKind => outcomeKinds.some((kind) => kind === text);

/** Opens the table. */
export function createOutcomeStore(query: Kysely<Tables>): OutcomeStore {
  return {
    async add({ hour, kind, succeeded, failed }) {
      await query
        .insertInto('outcomes')
        .values({ hour, kind, succeeded, failed })
        .onConflict((conflict) =>
          conflict.columns(['hour', 'kind']).doUpdateSet({
            succeeded: sql<number>`outcomes.succeeded + excluded.succeeded`,
            failed: sql<number>`outcomes.failed + excluded.failed`,
          }),
        )
        .execute();
      await query
        .deleteFrom('outcomes')
        .where('hour', '<', hour - retentionHours)
        .execute();
    },
    async since(hour) {
      const rows = await query.selectFrom('outcomes').selectAll().where('hour', '>=', hour).execute();
      return rows.flatMap(({ kind, ...row }) => (isKind(kind) ? [{ ...row, kind }] : []));
    },
  };
}
