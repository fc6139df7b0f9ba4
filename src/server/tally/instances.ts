import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { BreakerChange, ReadingObserver } from '../../downloader/extractors/readings.ts';
import type { ResolveEvent } from '../../downloader/posts/resolver.ts';
import { startPoller } from '../../process/periodic.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Tally } from '../../stores/tally/tally.ts';
import { agentName } from './names.ts';
import type { RecentCounts } from './recent-counts.ts';
import { createShapeRecorder, createShapeStore } from './shapes.ts';

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

interface WatchOptions {
  readonly query: Kysely<Tables>;
  readonly tally: Tally;
  readonly logger: Logger;
  readonly recent: Pick<RecentCounts, 'restart'>;
  /** Names of the operator's proxies by their ids. */
  readonly egresses: ReadonlyMap<string, string>;
}

const beatMs = 15_000;

/** Begins to watch. */
export function watchInstance({ query, tally, logger, recent, egresses }: WatchOptions) {
  const now = Date.now;
  const id = crypto.randomUUID();
  const startedAt = now();
  const instances = createInstanceStore(query, now);
  const shapes = createShapeRecorder(createShapeStore(query, now), now, (strategy, shape) =>
    tally.add('shape', strategy, shape),
  );
  let beaten = Number.NEGATIVE_INFINITY;
  let look: (() => Promise<InstanceState>) | null = null;
  let isEnding = false;

  const endWriting = startPoller(
    async () => {
      // Durations go by a clock that nobody sets.
      if (look !== null && performance.now() - beaten >= beatMs && !isEnding) {
        beaten = performance.now();
        await instances.beat(id, startedAt, await look());
      }
      await shapes.write();
    },
    (error) => logger.error({ err: error }, 'the state of this instance could not be written'),
  );

  return {
    readings: {
      answered: ({ strategy, outcome }) => tally.add('strategy', strategy, outcome),
      asked({ strategy, agent, egress, outcome }) {
        tally.add('agent', `${strategy} ${agentName(agent)}`, outcome);
        tally.add('egress', egress === undefined ? 'direct' : (egresses.get(egress) ?? egress), outcome);
      },
      shape: ({ strategy, shape, example }) => shapes.meet({ strategy, ...shape, example }),
    } satisfies ReadingObserver,
    resolved: ({ source, outcome }: ResolveEvent) => tally.add('post', source, outcome),
    /** Others hear of it at once. */
    breakerChanged({ isOpen, reads, left }: BreakerChange) {
      beaten = Number.NEGATIVE_INFINITY;
      // Outcomes from before or during an outage say nothing about the present.
      if (reads && left === (isOpen ? 0 : 1)) recent.restart();
    },
    /** Begins to tell the other instances how this one fares. */
    publish(given: () => Promise<InstanceState>) {
      look = given;
    },
    /** How this one fares now; null before it tells. */
    stateNow: async () => (await look?.()) ?? null,
    /** Tells the others that this one ends. */
    async close() {
      isEnding = true;
      await endWriting();
      await instances
        .leave(id)
        .catch((error: unknown) => logger.error({ err: error }, 'no leave taken of the other instances'));
    },
  };
}

/** Counts how the platform answers, and tells other instances how this one fares. */
export type InstanceWatch = ReturnType<typeof watchInstance>;
