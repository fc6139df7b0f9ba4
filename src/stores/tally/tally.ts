import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { startPoller, startRetentionJob } from '../../process/periodic.ts';
import type { Tables } from '../contracts/database.ts';
import { type Audience, isCounted, type Subject } from './subjects.ts';
import { createTallyStore, type TallyBatch, type TallyEntry, type TallyStore } from './tally-store.ts';
import { unitOf } from './units.ts';

/** Counts what happens, without persons. Nobody waits for the database. */
export interface Tally {
  /** Adds to the sums of this hour. @param times 1 when left out */
  add(subject: Subject, name: string, detail?: string, times?: number): void;
}

/** Names and details have no such character. */
const separator = '\n';
/** Different sums that may wait; one that finds no room is dropped. */
const mostWaiting = 10_000;

/**
 * Sums that wait for being written, in numbered batches: one that may have been written is sent again, and counts once.
 * @param now milliseconds since 1970
 * @param onFull called for each event without room
 */
export function createWaitingTally(
  store: Pick<TallyStore, 'write'>,
  now: () => number,
  { most = mostWaiting, onFull = () => {} }: { readonly most?: number; readonly onFull?: () => void } = {},
): Tally & { write(): Promise<void> } {
  const writer = crypto.randomUUID();
  let waiting = new Map<string, number>();
  let batch: TallyBatch | null = null;
  let number = 0;

  function takeEntries(): TallyEntry[] {
    const taken = waiting;
    waiting = new Map();
    return [...taken].map(([key, total]) => {
      const [subject = '', hour = '', name = '', detail = ''] = key.split(separator);
      return { subject: subject as Subject, hour: Number(hour), name, detail, total };
    });
  }

  async function send(): Promise<void> {
    const sent = batch;
    if (sent === null) return;
    await store.write(sent);
    // A run that took too long may end after another has sent the next one.
    if (batch === sent) batch = null;
  }

  return {
    add(subject, name, detail = '', times = 1) {
      const key = [subject, unitOf('hour', now()), name, detail].join(separator);
      const before = waiting.get(key);
      if (before === undefined && waiting.size >= most) onFull();
      else waiting.set(key, (before ?? 0) + times);
    },
    async write() {
      await send();
      if (batch !== null || waiting.size === 0) return;
      number += 1;
      batch = { writer, number, entries: takeEntries() };
      await send();
    },
  };
}

interface TallyOptions {
  readonly query: Kysely<Tables>;
  readonly logger: Logger;
  /** Those of the site: subjects of others are not kept. */
  readonly audiences: readonly Audience[];
  /** Told of every event, also of subjects that are not kept. */
  observe(subject: Subject, name: string, detail: string, times: number): void;
  /** Called for each event that found no room. */
  onFull(): void;
}

/** Opens the tally, and deletes what is too old. */
export function openTally({ query, logger, audiences, observe, onFull }: TallyOptions): Tally & {
  /** Writes what waits. */
  close(): Promise<void>;
} {
  const store = createTallyStore(query, Date.now);
  const waiting = createWaitingTally(store, Date.now, { onFull });
  const endWriting = startPoller(waiting.write, (error) =>
    logger.error({ err: error }, 'sums could not be written'),
  );
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      store.expire().catch((error: unknown) => logger.error({ err: error }, 'old sums could not be deleted')),
    logger,
  });
  return {
    add(subject, name, detail = '', times = 1) {
      observe(subject, name, detail, times);
      if (isCounted(subject, audiences)) waiting.add(subject, name, detail, times);
    },
    async close() {
      await Promise.all([endWriting(), endDeleting()]);
    },
  };
}
