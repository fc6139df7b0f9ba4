import type { InstanceState } from '../../server/tally/instances.ts';
import type { Leases } from '../../stores/shared-work/leases.ts';
import type { AlarmStore, Channel } from './alarm-store.ts';
import type { AlarmCondition, SiteReading } from './conditions/condition.ts';
import { type DeliveryObserver, deliver, type SendAlarm } from './deliver.ts';
import { judge } from './judge.ts';
import { ownReading } from './read-site.ts';
import { createMemoryAlarms } from './without-database/memory-alarms.ts';

/** The lease's time, longer than a look takes; another instance looks afterwards. */
const leaseMs = 60_000;

interface WatchOptions {
  readonly conditions: readonly AlarmCondition[];
  readonly read: () => Promise<SiteReading>;
  /** How this instance fares, without the database; null while it starts. */
  readonly readSelf: () => Promise<InstanceState | null>;
  readonly store: AlarmStore;
  readonly leases: Leases;
  readonly senders: Readonly<Partial<Record<Channel, SendAlarm>>>;
  readonly observer: DeliveryObserver & {
    /** The database takes nothing: this instance goes on from memory. */
    databaseFailed(error: unknown): void;
  };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const leaseName = 'alarms';

/**
 * One instance of several looks, for as long as it renews its lease. While the database takes nothing, each looks at
 * itself and tells from memory; the database gets to know what was told.
 */
export function createWatch(options: WatchOptions) {
  const { conditions, read, readSelf, store, leases, senders, observer, now } = options;
  const owner = crypto.randomUUID();
  const channels = (['webhook', 'mail'] as const).filter((channel) => senders[channel] !== undefined);
  const memory = createMemoryAlarms(now);

  async function lookTogether(): Promise<void> {
    const isOurs = await leases.take(leaseName, owner, leaseMs);
    for (const { alarm, waiting } of memory.told()) {
      await store.adopt(alarm, waiting);
      await memory.forget(alarm.id);
    }
    if (isOurs) {
      const told = await judge(await read(), conditions, store, channels);
      await deliver(store, senders, observer);
      await store.expire();
      memory.exceptFor(told);
    }
    // Not before: a full disk takes some rows and refuses others.
    memory.clear();
  }

  async function lookAlone(failure: string): Promise<void> {
    const state = await readSelf();
    if (state === null) return;
    await judge(ownReading(now(), state, failure), conditions, memory, channels);
    await deliver(memory, senders, observer);
  }

  return {
    async look() {
      try {
        await lookTogether();
      } catch (error) {
        observer.databaseFailed(error);
        await lookAlone(error instanceof Error ? error.message : String(error));
      }
    },
    /** Gives the lease back, so that another instance looks at once. */
    end: () => leases.release(leaseName, owner),
  };
}
