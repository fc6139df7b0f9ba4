import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createActions } from './actions.ts';
import { createAuditLog, endedWithSite } from './audit-log.ts';

const dayMs = 86_400_000;
const silent = { info: () => {}, error: () => {} };

describe.each(engines)('$name', (engine) => {
  test('writes an entry before its action, records how it ended, and writes it only once', async () => {
    await using fresh = await openFreshDatabase(engine);
    const log = createAuditLog(fresh.database.query, silent, () => 1000);
    const id = await log.add({
      what: 'a b',
      object: '',
      operator: 'anna',
      block: 'x',
      outcome: 'begun',
      text: '',
    });
    expect(await log.show(id)).toMatchObject({
      what: 'a b',
      outcome: 'begun',
      at: 1000,
      operator: 'anna',
      block: 'x',
    });
    await log.end(id, { object: 'thing 1', outcome: 'done', text: 'So it was.' });
    await log.end(id, { object: 'thing 2', outcome: 'failed', text: 'Not at all.' });
    expect(await log.show(id)).toMatchObject({ object: 'thing 1', outcome: 'done', text: 'So it was.' });
  });

  test('marks actions that their process did not end, and completes one that was taken for lost', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    let now = 0;
    const open = () => createAuditLog(query, silent, () => now);
    const action = { what: 'a b', object: '', operator: '', block: 'x', outcome: 'begun', text: '' } as const;
    const before = open();
    const [lost, slow, elsewhere] = [
      await before.add(action),
      await before.add(action),
      await before.add(action),
    ];
    await sql`update operator_log set instance = 'other' where id = ${elsewhere}`.execute(query);
    now = 1000;
    const log = open();
    const own = await log.add(action);
    const outcomes = async () =>
      Promise.all([lost, slow, elsewhere, own].map(async (id) => (await log.show(id))?.outcome));
    await log.failLost();
    expect(await outcomes()).toEqual(['failed', 'failed', 'begun', 'begun']);
    expect(await log.show(lost)).toMatchObject({ text: endedWithSite });
    await before.end(slow, { object: 'thing', outcome: 'done', text: 'So it was.' });
    now = 3_600_001;
    await log.failLost();
    expect(await outcomes()).toEqual(['failed', 'done', 'failed', 'begun']);
    expect(await log.show(slow)).toMatchObject({ object: 'thing', text: 'So it was.' });
  });

  test('reads page by page, and deletes what is older than its time', async () => {
    await using fresh = await openFreshDatabase(engine);
    let now = 0;
    const log = createAuditLog(fresh.database.query, silent, () => now);
    for (let entry = 0; entry < 5; entry++) {
      now = entry * dayMs;
      await log.add({
        what: `action ${entry}`,
        object: '',
        operator: '',
        block: '',
        outcome: 'done',
        text: '',
      });
    }
    const first = await log.list({ limit: 2 });
    expect(first.map(({ what }) => what)).toEqual(['action 4', 'action 3']);
    expect((await log.list({ limit: 2, before: first.at(-1)?.id ?? 0 })).map(({ what }) => what)).toEqual([
      'action 2',
      'action 1',
    ]);
    expect(await log.expire(2)).toBe(2);
    expect(await log.list({ limit: 9 })).toHaveLength(3);
  });

  test('records an action that throws, and one that does not exist', async () => {
    await using fresh = await openFreshDatabase(engine);
    const log = createAuditLog(fresh.database.query, silent, Date.now);
    const run = createActions(log, silent);
    const page = {
      ...{ name: 'page', section: 'Do' as const, title: 'Page' },
      load: async () => ({}),
      actions: { break: () => Promise.reject(new Error('the disk is full')) },
    };
    const request = (action: string) => {
      const form = new FormData();
      form.append('action', action);
      return { parts: [], query: new URLSearchParams(), signal: AbortSignal.abort(), form, file: null };
    };
    expect((await run(page, request('break'), { operator: 'anna', block: 'x' })).outcome).toMatchObject({
      outcome: 'failed',
    });
    expect((await run(page, request('toString'), { operator: 'anna', block: 'x' })).outcome).toMatchObject({
      outcome: 'refused',
    });
    expect((await log.list({ limit: 9 })).map(({ what, outcome, text }) => [what, outcome, text])).toEqual([
      ['page toString', 'refused', 'There is no such action.'],
      ['page break', 'failed', 'It failed: Error: the disk is full'],
    ]);
  });
});
