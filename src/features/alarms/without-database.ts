import { randomInt } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FailedStart } from '../../server/feature.ts';
import { diskRoom } from '../../server/metrics/disk.ts';
import { DatabaseNotOpened } from '../../stores/open/database.ts';
import type { Waiting } from '../../stores/shared-work/outbox.ts';
import {
  type Alarm,
  type AlarmMessage,
  type AlarmStore,
  type Channel,
  type JudgedAlarms,
  keyOf,
  type SendAlarm,
} from './alarm-store.ts';
import { diskText, isNearlyFull } from './conditions/conditions.ts';

/** A trouble that comes and goes is told once in this time, and so is a start that a service manager repeats. */
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

const causes = ['disk-full', 'database-away'] as const;
type Cause = (typeof causes)[number];

/**
 * An empty file that the last good start has made. Its time says when somebody was told of a failed one: a full disk
 * takes no more than that.
 */
const markOf = (folder: string, cause: Cause) => join(folder, `start-failed-${cause}`);

const setTime = (file: string, time: number) => utimesSync(file, time / 1000, time / 1000);

/** Makes the mark if it is not there. @returns the time of the last message @throws Error of the file system */
function readMark(file: string): number {
  const isNew = !existsSync(file);
  closeSync(openSync(file, 'a', 0o600));
  if (isNew) setTime(file, 0);
  return statSync(file).mtimeMs;
}

async function causeOf(folder: string, error: unknown): Promise<{ cause: Cause; text: string } | null> {
  const room = await diskRoom(folder);
  if (isNearlyFull(room)) return { cause: 'disk-full', text: diskText(hostname(), room) };
  if (!(error instanceof DatabaseNotOpened)) return null;
  return { cause: 'database-away', text: `${hostname()}: ${error.message}.` };
}

const toldAlarm = (condition: Cause, text: string, since: number): Omit<Alarm, 'id'> => ({
  ...{ condition, subject: hostname(), text },
  ...{ since, seenAt: since, notifiedAt: since, endedAt: null },
});

/**
 * Tells of a start that failed, when the disk is full or the database is away.
 * @param now milliseconds since 1970
 * @throws Error when nobody could be told
 */
export async function tellOfFailedStart(
  {
    environment: { DATA_DIR },
    error,
  }: { readonly environment: Pick<FailedStart['environment'], 'DATA_DIR'>; readonly error: unknown },
  senders: Readonly<Partial<Record<Channel, SendAlarm>>>,
  now: number,
): Promise<void> {
  const found = await causeOf(DATA_DIR, error);
  if (found === null) return;
  const mark = markOf(DATA_DIR, found.cause);
  if (now - readMark(mark) < apartMs) return;
  const alarm = { id: anyId(), ...toldAlarm(found.cause, `${found.text} The site does not start.`, now) };
  const sent = Object.entries(senders).map(([channel, send]) =>
    send({ id: anyId(), kind: 'begun', channel: channel as Channel, madeAt: now, attempts: 0, alarm }),
  );
  await Promise.any(sent);
  setTime(mark, now);
  await Promise.all(sent);
}

/** Takes alarms of failed starts into the database after a good one; they end as others do. */
export async function takeOverFailedStarts(folder: string, store: Pick<AlarmStore, 'adopt'>): Promise<void> {
  for (const cause of causes) {
    const mark = markOf(folder, cause);
    const told = readMark(mark);
    if (told === 0) continue;
    await store.adopt(toldAlarm(cause, 'The site did not start.', told), []);
    setTime(mark, 0);
  }
}
