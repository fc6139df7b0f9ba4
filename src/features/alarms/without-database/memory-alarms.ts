import { randomInt } from 'node:crypto';
import type { Waiting } from '../../../stores/shared-work/outbox.ts';
import type { Alarm, AlarmMessage, Channel, JudgedAlarms } from '../alarm-store.ts';
import { keyOf } from '../judge.ts';

/** A trouble that comes and goes is told once in this time. */
const apartMs = 3_600_000;
/** Receivers know deliveries by their ids: these are far from the database's, and another instance's. */
export const anyId = (): number => randomInt(2 ** 40, 2 ** 47);

/** Alarms of one instance, while the database takes none. @param now milliseconds since 1970 */
export function createMemoryAlarms(now: () => number) {
  const alarms = new Map<number, Alarm>();
  const messages = new Map<number, Omit<AlarmMessage, 'alarm'> & { alarm: number; nextAt: number }>();
  /** When somebody was told of a trouble. */
  const toldAt = new Map<string, number>();
  let known: ReadonlySet<string> = new Set();

  const change = (id: number, fields: Partial<Alarm>) => {
    const alarm = alarms.get(id);
    if (alarm !== undefined) alarms.set(id, { ...alarm, ...fields });
  };
  const queue = (alarm: number, kind: AlarmMessage['kind'], channels: readonly Channel[]) => {
    for (const channel of channels) {
      const id = anyId();
      messages.set(id, { id, alarm, kind, channel, madeAt: now(), attempts: 0, nextAt: now() });
    }
  };
  const waitingFor = (id: number) => [...messages.values()].filter(({ alarm }) => alarm === id);

  const judged: JudgedAlarms & Waiting<AlarmMessage> = {
    lasting: async () => [...alarms.values()].filter(({ endedAt }) => endedAt === null),
    async see(condition, { subject, text }) {
      const id = anyId();
      const fields = { since: now(), seenAt: now(), notifiedAt: null, endedAt: null };
      alarms.set(id, { id, condition, subject, text, ...fields });
    },
    async seeAgain(id, { text }) {
      change(id, { text, seenAt: now() });
    },
    async forget(id) {
      alarms.delete(id);
      for (const message of waitingFor(id)) messages.delete(message.id);
    },
    async notify(id, channels) {
      const { condition = '', subject = '' } = alarms.get(id) ?? {};
      const key = keyOf(condition, subject);
      if (known.has(key) || now() - (toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < apartMs) return;
      toldAt.set(key, now());
      change(id, { notifiedAt: now() });
      queue(id, 'begun', channels);
    },
    async end(id, channels) {
      change(id, { endedAt: now() });
      queue(id, 'over', channels);
    },
    async claim() {
      const held = new Set<Channel>();
      for (const { alarm: id, nextAt, ...message } of messages.values()) {
        const alarm = alarms.get(id);
        if (alarm !== undefined && nextAt <= now() && !held.has(message.channel))
          return { ...message, attempts: message.attempts + 1, alarm };
        // As in the database: nothing is over before it has begun.
        held.add(message.channel);
      }
      return null;
    },
    async markSent(id) {
      messages.delete(id);
    },
    async putOff(id, delayMs) {
      const message = messages.get(id);
      if (message === undefined) return;
      if (delayMs === null) messages.delete(id);
      else messages.set(id, { ...message, attempts: message.attempts + 1, nextAt: now() + delayMs });
    },
  };
  return {
    ...judged,
    /** Leaves out alarms that the database has as told, by their keys. */
    exceptFor(keys: Iterable<string>) {
      known = new Set(keys);
    },
    /** Alarms that were told, and their messages that nobody has taken yet. */
    told: () =>
      [...alarms.values()]
        .filter(({ notifiedAt }) => notifiedAt !== null)
        .map((alarm) => ({ alarm, waiting: waitingFor(alarm.id) })),
    /** Forgets all: the database takes them again. */
    clear() {
      alarms.clear();
      messages.clear();
    },
  };
}
