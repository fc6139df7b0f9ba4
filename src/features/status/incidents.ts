import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** The operator's report on an incident. */
export interface Incident {
  readonly id: number;
  /** The operator's words, in one language. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
}

/** Characters of a note. */
export const longestIncident = 500;

/** The operator's report on an incident. */
interface IncidentTable {
  id: Generated<number>;
  text: string;
  began_at: number;
  /** Null while it lasts. */
  ended_at: number | null;
}

/** The operator's notes. */
export type IncidentStore = ReturnType<typeof createIncidentStore>;

/** @param now milliseconds since 1970 */
export function createIncidentStore(database: Kysely<Tables>, now: () => number) {
  const query = database.$extendTables<{ incidents: IncidentTable }>();
  return {
    async open(text: string) {
      const beganAt = now();
      const { id } = await query
        .insertInto('incidents')
        .values({ text, began_at: beganAt })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, text, beganAt, endedAt: null };
    },
    /** @returns false when the incident does not exist, or has ended */
    async close(id: number) {
      const rows = await query
        .updateTable('incidents')
        .set({ ended_at: now() })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returning('id')
        .execute();
      return rows.length > 0;
    },
    /** Incidents that are open or ended after a moment (ms since 1970), the newest first. */
    async since(moment: number) {
      const rows = await query
        .selectFrom('incidents')
        .selectAll()
        .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', moment)]))
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id, text, began_at, ended_at }) => ({
        id,
        text,
        beganAt: began_at,
        endedAt: ended_at,
      }));
    },
  };
}
