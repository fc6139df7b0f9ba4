import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** Characters of a note. */
export const longestIncident = 500;

/** The operator's report on an incident. */
interface IncidentTable {
  id: Generated<number>;
  /** The operator's words, in one language. */
  text: string;
  /** Milliseconds since 1970. */
  began_at: number;
  /** Null while it lasts. */
  ended_at: number | null;
}

/** The operator's notes. */
export type IncidentStore = ReturnType<typeof createIncidentStore>;

/** The operator's report on an incident. */
export type Incident = Awaited<ReturnType<IncidentStore['since']>>[number];

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
      return query
        .selectFrom('incidents')
        .select(['id', 'text', 'began_at as beganAt', 'ended_at as endedAt'])
        .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>', moment)]))
        .orderBy('id', 'desc')
        .execute();
    },
  };
}
