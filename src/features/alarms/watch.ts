import type { InstanceState } from '../../server/tally/instances.ts';
import type { Leases } from '../../stores/shared-work/leases.ts';
import { type SendingObserver, sendWaiting, type Waiting } from '../../stores/shared-work/outbox.ts';
import {
  type Alarm,
  type AlarmMessage,
  type AlarmStore,
  type Channel,
  type JudgedAlarms,
  keyOf,
  type SendAlarm,
} from './alarm-store.ts';
import type { AlarmCondition } from './conditions/conditions.ts';
import { ownReading, type SiteReading } from './read-site.ts';
import { createMemoryAlarms } from './without-database.ts';

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
  readonly observer: SendingObserver<AlarmMessage> & {
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

/** Time without a trouble after which it is over; one that comes and goes within it is one trouble. */
export const quietMs = 10 * 60_000;
/** Alarms of one condition: further ones would say nothing more. */
const mostOfOne = 20;

/** Time without a trouble that counts as a break; instances look more often. */
const breakMs = 60_000;

/**
 * Compares what is wrong with what was: each trouble is told once, when it has lasted, and once more when it is over.
 * @param channels where it is told
 * @returns keys of those that were told and last
 */
async function judge(
  site: SiteReading,
  conditions: readonly AlarmCondition[],
  store: JudgedAlarms,
  channels: readonly Channel[],
): Promise<readonly string[]> {
  const told = new Set<string>();
  const lasting = new Map<string, Alarm>();
  for (const alarm of await store.lasting()) lasting.set(keyOf(alarm.condition, alarm.subject), alarm);
  let isGone = false;
  for (const condition of conditions) {
    const found = condition.find(site).slice(0, mostOfOne);
    isGone ||= condition.name === 'platform-gone' && found.length > 0;
    for (const trouble of found) {
      const key = keyOf(condition.name, trouble.subject);
      const alarm = lasting.get(key);
      // An alarm that was told before lasts; no further one begins.
      if (isGone && condition.isFolded && (alarm?.notifiedAt ?? null) === null) continue;
      lasting.delete(key);
      if (alarm === undefined) await store.see(condition.name, trouble);
      else if (alarm.notifiedAt === null && site.now - alarm.seenAt > breakMs) {
        await store.forget(alarm.id);
        await store.see(condition.name, trouble);
      } else {
        await store.seeAgain(alarm.id, trouble);
        if (alarm.notifiedAt === null && site.now - alarm.since >= condition.lastsMs)
          await store.notify(alarm.id, channels);
        if (alarm.notifiedAt !== null || site.now - alarm.since >= condition.lastsMs) told.add(key);
      }
    }
  }
  const quietOf = new Map(conditions.map(({ name, quietMs: own }) => [name, own]));
  for (const [key, alarm] of lasting)
    if (alarm.notifiedAt === null) await store.forget(alarm.id);
    else if (site.now - alarm.seenAt >= (quietOf.get(alarm.condition) ?? quietMs))
      await store.end(alarm.id, channels);
    else told.add(key);
  return [...told];
}

/** The operator has taken a channel out of the environment. */
class ChannelGone extends Error {
  override readonly name = 'ChannelGone';
}

const patience = {
  firstDelayMs: 15_000,
  longestDelayMs: 15 * 60_000,
  /** About two days: a message that nobody takes for so long is no news any more. */
  maxAttempts: 200,
  isFinal: (error: unknown) => error instanceof ChannelGone,
};

/** Sends what is due. A message that is put off holds back its channel: nothing is over before it has begun. */
const deliver = (
  messages: Waiting<AlarmMessage>,
  senders: Readonly<Partial<Record<Channel, SendAlarm>>>,
  observer: SendingObserver<AlarmMessage>,
): Promise<void> =>
  sendWaiting(
    messages,
    async (message) => {
      const send = senders[message.channel];
      if (send === undefined) throw new ChannelGone(`${message.channel} is not set up any more`);
      await send(message);
    },
    observer,
    patience,
  );
