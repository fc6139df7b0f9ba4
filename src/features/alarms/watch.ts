import type { Leases } from '../../stores/leases.ts';
import type { AlarmStore, Channel } from './alarm-store.ts';
import type { AlarmCondition, SiteReading } from './condition.ts';
import { type DeliveryObserver, deliver, type SendAlarm } from './deliver.ts';
import { judge } from './judge.ts';

/** Longer than a look and the attempts at its messages take; another instance looks then. */
const leaseMs = 60_000;

interface WatchOptions {
  readonly conditions: readonly AlarmCondition[];
  readonly read: () => Promise<SiteReading>;
  readonly store: AlarmStore;
  readonly leases: Leases;
  readonly senders: Readonly<Partial<Record<Channel, SendAlarm>>>;
  readonly observer: DeliveryObserver;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Looks for troubles and tells of them, where no other instance does. */
export interface Watch {
  look(): Promise<void>;
  /** Lets another instance look at once. */
  end(): Promise<void>;
}

const leaseName = 'alarms';

/** One instance of several looks, for as long as it renews its lease. */
export function createWatch(options: WatchOptions): Watch {
  const { conditions, read, store, leases, senders, observer, now } = options;
  const owner = crypto.randomUUID();
  const isMine = () => leases.take(leaseName, owner, leaseMs);
  const channels = (['webhook', 'mail'] as const).filter((channel) => senders[channel] !== undefined);
  return {
    async look() {
      if (!(await isMine())) return;
      await judge(await read(), conditions, store, channels);
      await deliver(store, senders, now, isMine, observer);
      await store.expire();
    },
    end: () => leases.give(leaseName, owner),
  };
}
