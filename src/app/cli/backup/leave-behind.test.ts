import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import { leaveBehind } from './restore-database.ts';

test.each(engines)(
  'a restored database has no session, no lease and nothing to tell again on $name',
  async (engine) => {
    await using place = await openFreshDatabase(engine);
    const query =
      place.database.query.$extendTables<
        Record<'operator_sessions' | 'alarm_messages' | 'push_messages', Record<string, unknown>>
      >();
    await query
      .insertInto('operator_sessions')
      .values({ hash: 'a'.repeat(64), made_at: 1, ends_at: Number.MAX_SAFE_INTEGER, block: '192.0.2.0/24' })
      .execute();
    await query.insertInto('leases').values({ name: 'alarms', owner: 'a', owned_until: 9e12 }).execute();
    await query.insertInto('instances').values({ id: 'a', started_at: 1, seen_at: 1, state: '{}' }).execute();
    await query
      .insertInto('push_messages')
      .values({ title: 't', body: 'b', url: '/', language: null, made_at: 1, last: 5 })
      .execute();
    const alarm = {
      alarm_id: 1,
      kind: 'begun',
      channel: 'mail',
      made_at: 1,
      attempts: 0,
      next_at: 1,
    } as const;
    await query
      .insertInto('alarm_messages')
      .values((['waiting', 'sent', 'failed'] as const).map((state) => ({ ...alarm, state })))
      .execute();
    await leaveBehind(place.database);
    const left = async (table: 'operator_sessions' | 'leases' | 'instances') =>
      (await query.selectFrom(table).selectAll().execute()).length;
    expect([await left('operator_sessions'), await left('leases'), await left('instances')]).toEqual([
      0, 0, 0,
    ]);
    const alarms = await query.selectFrom('alarm_messages').select('state').orderBy('id').execute();
    expect(alarms.map(({ state }) => state)).toEqual(['failed', 'sent', 'failed']);
    expect(await query.selectFrom('push_messages').select('is_open').execute()).toEqual([{ is_open: 0 }]);
  },
);
