import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../stores/contracts/database.ts';

const bytes = z.number().nonnegative();
const outcomes = z
  .array(z.object({ kind: z.string(), succeeded: z.number(), failed: z.number() }))
  .default([]);
const stateSchema = z.object({
  /** Name of the machine. */
  host: z.string(),
  /** Version of the program. */
  version: z.string(),
  /** When its pages were built, as milliseconds since 1970. */
  builtAt: z.number().nullable(),
  node: z.string(),
  database: z.string(),
  /** Names of the servers that it goes on without. */
  absent: z.array(z.string()),
  /** Servers that it shares with others. */
  shared: z.array(z.string()),
  breakers: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['closed', 'half-open', 'open']),
      /** Whether it reads posts. */
      reads: z.boolean().default(true),
    }),
  ),
  /** Outcomes by kind of five minutes, and of the last fifty or more within an hour; `link`: of all that were asked for. */
  fiveMinutes: outcomes,
  lately: outcomes,
  /** Egresses, and how many of them rest. */
  egresses: z.object({ all: z.number(), resting: z.number() }),
  conversions: z.object({ waiting: z.number(), running: z.number(), mostWaiting: z.number() }),
  downloads: z.number(),
  /** Bytes; of the disk with `DATA_DIR`, null where nobody can say. */
  disk: z.object({ free: bytes, total: bytes }).nullable(),
  memory: z.object({ process: bytes, heap: bytes, free: bytes, total: bytes }),
  /** Share of the time since the last heartbeat in which the event loop was at work, 0 to 1. */
  busy: z.number(),
});

/** How one instance fares. */
export type InstanceState = z.infer<typeof stateSchema>;

/** An instance that was heard of lately. */
export interface KnownInstance {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly seenAt: number;
  readonly state: InstanceState;
}

/** An instance that says nothing for so long is gone. */
const goneMs = 60_000;
/** The row of one that took no leave is deleted after a day. */
const forgottenMs = 24 * 3_600_000;

/** The instances of a site, each of which tells how it fares. @param now milliseconds since 1970 */
export function createInstanceStore(query: Kysely<Tables>, now: () => number) {
  return {
    async beat(id: string, startedAt: number, state: InstanceState) {
      const row = { started_at: startedAt, seen_at: now(), state: JSON.stringify(state) };
      await query
        .insertInto('instances')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      await query
        .deleteFrom('instances')
        .where('seen_at', '<', now() - forgottenMs)
        .execute();
    },
    /** Takes its row away: it ends. */
    async leave(id: string) {
      await query.deleteFrom('instances').where('id', '=', id).execute();
    },
    /** Those that were heard of within a minute, the oldest first. */
    async list(): Promise<readonly KnownInstance[]> {
      const rows = await query
        .selectFrom('instances')
        .selectAll()
        .where('seen_at', '>=', now() - goneMs)
        .orderBy('started_at')
        .orderBy('id')
        .execute();
      return rows.flatMap(({ id, started_at, seen_at, state }) => {
        // Another version's instance may say other things.
        const read = stateSchema.safeParse(JSON.parse(state));
        return read.success ? [{ id, startedAt: started_at, seenAt: seen_at, state: read.data }] : [];
      });
    },
  };
}
