import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';

/** Log-ins of a day and an address block that failed. */
interface Tries {
  /** Days since 1970. */
  readonly day: number;
  readonly block: string;
  /** With a wrong password. */
  readonly failed: number;
  /** Refused before the password was looked at. */
  readonly limited: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** Counts log-ins that failed: sums, since they can be a million. */
export interface TryStore {
  count(block: string, kind: 'failed' | 'limited'): void;
  /** Adds what was counted since to the table. */
  write(): Promise<void>;
  /** The newest days first. */
  list(limit: number): Promise<readonly Tries[]>;
  expire(days: number): Promise<void>;
}

export const triesKeptDays = 90;

const dayMs = 86_400_000;
/** The address blocks of a day that have rows of their own; all others have one together. */
const mostBlocks = 50;
const others = 'others';

/** @param now milliseconds since 1970 */
export function createTries(query: Kysely<Tables>, now: () => number): TryStore {
  let unwritten = new Map<string, { failed: number; limited: number }>();

  async function nameFor(block: string, day: number): Promise<string> {
    const rows = await query.selectFrom('operator_tries').select('block').where('day', '=', day).execute();
    return rows.length < mostBlocks || rows.some((row) => row.block === block) ? block : others;
  }

  return {
    count(given, kind) {
      const block = unwritten.size < mostBlocks || unwritten.has(given) ? given : others;
      const before = unwritten.get(block) ?? { failed: 0, limited: 0 };
      unwritten.set(block, { ...before, [kind]: before[kind] + 1 });
    },
    async write() {
      const batch = unwritten;
      unwritten = new Map();
      const day = Math.floor(now() / dayMs);
      for (const [given, sums] of batch)
        await query
          .insertInto('operator_tries')
          .values({ day, block: await nameFor(given, day), ...sums, last_at: now() })
          .onConflict((conflict) =>
            conflict.columns(['day', 'block']).doUpdateSet({
              failed: sql<number>`operator_tries.failed + excluded.failed`,
              limited: sql<number>`operator_tries.limited + excluded.limited`,
              last_at: now(),
            }),
          )
          .execute();
    },
    async list(limit) {
      const rows = await query
        .selectFrom('operator_tries')
        .selectAll()
        .orderBy('day', 'desc')
        .orderBy('last_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ last_at, ...row }) => ({ ...row, lastAt: last_at }));
    },
    async expire(days) {
      await query
        .deleteFrom('operator_tries')
        .where('day', '<', Math.floor(now() / dayMs) - days)
        .execute();
    },
  };
}
