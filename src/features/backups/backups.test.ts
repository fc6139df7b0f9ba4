import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import type { Place } from './archives.ts';
import { createBackupStore, createBackups, lastDue } from './backups.ts';

const hourMs = 3_600_000;
const evening = new Date(2026, 10, 27, 20).getTime();

/** Sites that share one database and one place, with a clock. */
function openSites(query: Parameters<typeof createLeases>[0]) {
  const clock = { now: evening };
  const files = new Set<string>();
  let problem: string | null = null;
  let made = 0;
  const place: Place = {
    title: 'here',
    list: async () => [...files],
    async add(name, make) {
      await make(name);
      files.add(name);
      return 5;
    },
    remove: async (name) => void files.delete(name),
    close: async () => {},
  };
  const store = createBackupStore(query);
  const open = () =>
    createBackups({
      ...{ store, place, rule: { days: 2, weeks: 0, months: 0 }, ended: () => {}, now: () => clock.now },
      leases: createLeases(query, () => clock.now),
      async makeArchive() {
        made += 1;
        if (problem !== null) throw new Error(problem);
      },
    });
  return {
    ...{ clock, files, store, open },
    break: (reason: string | null) => {
      problem = reason;
    },
    made: () => made,
  };
}

test('a backup is due at 3:17 each night', () => {
  const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).getTime();
  expect(lastDue(at(28, 3, 16))).toBe(at(27, 3, 17));
  expect(lastDue(at(28, 3, 17))).toBe(at(28, 3, 17));
  expect(lastDue(at(28, 23, 59))).toBe(at(28, 3, 17));
});

describe.each(engines)('$name', (engine) => {
  test('of two instances one makes the first backup at once, and one each night, and keeps two', async () => {
    await using fresh = await openFreshDatabase(engine);
    const sites = openSites(fresh.database.query);
    const [one, other] = [sites.open(), sites.open()];
    const look = () => Promise.all([one.look(), other.look()]);
    await look();
    await look();
    expect(sites.made()).toBe(1);
    for (let hour = 0; hour < 72; hour++) {
      sites.clock.now += hourMs;
      await look();
    }
    expect(sites.made()).toBe(4);
    expect(sites.files.size).toBe(2);
    expect((await sites.store.list(9)).map(({ failure, bytes }) => [failure, bytes])).toEqual(
      Array.from({ length: 4 }, () => [null, 5]),
    );
  });

  test('a backup that fails is told, is repeated after an hour, and takes no archive away', async () => {
    await using fresh = await openFreshDatabase(engine);
    const sites = openSites(fresh.database.query);
    const site = sites.open();
    await site.look();
    sites.clock.now += 8 * hourMs;
    sites.break('the disk is full');
    await site.look();
    sites.clock.now += hourMs - 1;
    await site.look();
    expect(sites.made()).toBe(2);
    expect(await sites.store.list(1)).toMatchObject([{ failure: 'the disk is full', bytes: null }]);
    expect((await sites.store.lastGood())?.began_at).toBe(evening);
    sites.break(null);
    sites.clock.now += 1;
    await site.look();
    expect(await sites.store.list(1)).toMatchObject([{ failure: null, bytes: 5 }]);
    expect(sites.files.size).toBe(2);
  });
});
