import { closeSync, existsSync, openSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FailedStart } from '../../../server/feature.ts';
import { diskRoom } from '../../../server/metrics/disk.ts';
import { DatabaseNotOpened } from '../../../stores/open/database.ts';
import type { Alarm, AlarmStore, Channel } from '../alarm-store.ts';
import { diskText, isNearlyFull } from '../conditions/conditions.ts';
import type { SendAlarm } from '../deliver.ts';
import { anyId } from './memory-alarms.ts';

/** A service manager starts the site again and again: it is told once in this time. */
const apartMs = 3_600_000;
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
