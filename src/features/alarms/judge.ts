import type { Alarm, Channel, JudgedAlarms } from './alarm-store.ts';
import type { AlarmCondition, SiteReading } from './conditions/condition.ts';

/** Time without a trouble after which it is over; one that comes and goes within it is one trouble. */
export const quietMs = 10 * 60_000;
/** Alarms of one condition: further ones would say nothing more. */
const mostOfOne = 20;

/** Time without a trouble that counts as a break; instances look more often. */
const breakMs = 60_000;

/** Tells a trouble from all others. */
export const keyOf = (condition: string, subject: string): string => `${condition} ${subject}`;

/**
 * Compares what is wrong with what was: each trouble is told once, when it has lasted, and once more when it is over.
 * @param channels where it is told
 * @returns keys of those that were told and last
 */
export async function judge(
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
