import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { ReadingObserver } from '../../downloader/extractors/readings.ts';
import type { ResolveEvent } from '../../downloader/posts/resolver.ts';
import { startPoller } from '../../process/poller.ts';
import { startRetentionJob } from '../../process/retention-job.ts';
import { createClockCheck } from '../../process/steady-clock.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import { createFigureStore, type FigureBatch, type FigureStore } from './figure-store.ts';
import { createInstanceStore, type InstanceState } from './instance-store.ts';
import { startRollUp } from './roll-up.ts';
import { createShapeRecorder } from './shape-recorder.ts';
import { createShapeStore } from './shape-store.ts';
import { agentName } from './subjects.ts';
import { createWaitingFigures, type WaitingFigures } from './waiting-figures.ts';

/** Sums up what this instance does, without persons, and tells how it fares. */
export interface Figures extends Pick<WaitingFigures, 'add'> {
  readonly readings: ReadingObserver;
  resolved(event: ResolveEvent): void;
  /** Begins to tell the other instances how this one fares. */
  publish(look: () => Promise<InstanceState>): void;
  /** How this one fares now; null before it tells. */
  stateNow(): Promise<InstanceState | null>;
  /** Writes what waits, and takes leave. */
  close(): Promise<void>;
}

interface FigureOptions {
  readonly query: Kysely<Tables>;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** Names of the operator's proxies by their ids. */
  readonly egresses: ReadonlyMap<string, string>;
}

/** What an hour brings is written this often. */
const writeMs = 5000;
const beatMs = 15_000;
/** A batch that the database does not take for so long is dropped: what comes meanwhile must not fill the memory. */
const mostBatches = 60;

/** Writes waiting figures in numbered batches: one that may have been written is sent again, and counts once. */
function createBatchWriter(
  instance: string,
  store: Pick<FigureStore, 'write'>,
  waiting: Pick<WaitingFigures, 'size' | 'take'>,
  onDropped: (figures: number) => void,
) {
  const batches: FigureBatch[] = [];
  let number = 0;
  return {
    async write(): Promise<void> {
      if (waiting.size > 0) {
        number += 1;
        batches.push({ instance, number, figures: waiting.take() });
      }
      while (batches.length > mostBatches) onDropped(batches.shift()?.figures.length ?? 0);
      for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
        await store.write(batch);
        batches.shift();
      }
    },
  };
}

/** Begins to sum up. */
export function openFigures({ query, metrics, logger, egresses }: FigureOptions): Figures {
  const now = Date.now;
  const id = crypto.randomUUID();
  const startedAt = now();
  const dropped = new Counter({
    name: 'clipferry_figures_dropped_total',
    help: 'Sums for the operator that were not kept: too many different ones, or no database for too long.',
    registers: [metrics],
  });
  const newShapes = new Counter({
    name: 'clipferry_new_shapes_total',
    help: 'Answers of the platform in a form that is new, by strategy and form.',
    labelNames: ['strategy', 'shape'],
    registers: [metrics],
  });
  const store = createFigureStore(query, now);
  const instances = createInstanceStore(query, now);
  const waiting = createWaitingFigures(now, { onFull: () => dropped.inc() });
  const shapes = createShapeRecorder(createShapeStore(query, now), now, (strategy, shape) => {
    waiting.add('shape', strategy, shape);
    newShapes.inc({ strategy, shape });
  });
  const writer = createBatchWriter(id, store, waiting, (figures) => dropped.inc(figures));
  let written = Number.NEGATIVE_INFINITY;
  let beaten = Number.NEGATIVE_INFINITY;
  let look: (() => Promise<InstanceState>) | null = null;
  let isEnding = false;
  /** Durations go by a clock that nobody sets. */
  const passed = () => performance.now();

  const endWriting = startPoller(
    async () => {
      if (look !== null && passed() - beaten >= beatMs && !isEnding) {
        beaten = passed();
        await instances.beat(id, startedAt, await look());
      }
      if (passed() - written < writeMs && !isEnding) return;
      written = passed();
      await writer.write();
      await shapes.write();
    },
    (error) => logger.error({ err: error }, 'figures could not be written'),
  );
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      store
        .expire()
        .catch((error: unknown) => logger.error({ err: error }, 'old figures could not be deleted')),
    isClockSteady: createClockCheck({ wallNow: Date.now, monotonicNow: passed }),
    logger,
  });
  const endRollUp = startRollUp(query, now, (error) =>
    logger.error({ err: error }, 'daily sums could not be rolled up'),
  );

  return {
    add: waiting.add,
    readings: {
      answered: ({ strategy, outcome }) => waiting.add('strategy', strategy, outcome),
      asked({ strategy, agent, egress, outcome }) {
        waiting.add('agent', `${strategy} ${agentName(agent)}`, outcome);
        waiting.add('egress', egress === undefined ? 'direct' : (egresses.get(egress) ?? egress), outcome);
      },
      shape: ({ strategy, shape, example }) => shapes.meet({ strategy, ...shape, example }),
    },
    resolved: ({ source, outcome }) => waiting.add('post', source, outcome),
    publish(given) {
      look = given;
    },
    stateNow: async () => (await look?.()) ?? null,
    async close() {
      isEnding = true;
      await Promise.all([endWriting(), endDeleting(), endRollUp()]);
      await instances
        .leave(id)
        .catch((error: unknown) => logger.error({ err: error }, 'no leave taken of the other instances'));
    },
  };
}
