import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { BreakerChange, ReadingObserver } from '../../downloader/extractors/readings.ts';
import type { ResolveEvent } from '../../downloader/posts/resolver.ts';
import { startPoller } from '../../process/periodic.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Tally } from '../../stores/tally/tally.ts';
import { createInstanceStore, type InstanceState } from './instance-store.ts';
import { agentName } from './names.ts';
import type { RecentCounts } from './recent-counts.ts';
import { createShapeRecorder, createShapeStore } from './shapes.ts';

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
