import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseUnavailable } from '../contracts/database.ts';
import { type DatabasePlace, engines } from '../contracts/testing/services/databases.ts';
import { type FaultyLine, openFaultyLine } from '../contracts/testing/services/faulty-line.ts';
import { createPostgresqlPool, openPostgresqlDatabase } from './postgresql-database.ts';

const engine = engines.find(({ name }) => name === 'postgresql');
const patience = { connectMs: 1000, answerMs: 800 };

describe.runIf(engine !== undefined)('PostgreSQL on a bad line', () => {
  let place: DatabasePlace;
  let line: FaultyLine;
  beforeEach(async () => {
    if (engine === undefined) return;
    place = await engine.makePlace();
    const url = new URL(place.environment.DATABASE_URL ?? '');
    line = await openFaultyLine({ host: url.hostname, port: Number(url.port || 5432) });
  });
  afterEach(async () => {
    await line.close();
    await place.remove();
  });

  function open() {
    const url = new URL(place.environment.DATABASE_URL ?? '');
    url.host = `127.0.0.1:${line.port}`;
    return openPostgresqlDatabase(url.href, { onError: () => {}, patience });
  }

  test.each(['stall', 'lose'] as const)(
    '%s: every query ends, and everything works afterwards',
    async (how) => {
      const database = await open();
      const query = () => sql`select 1 as one`.execute(database.query);
      const transact = () =>
        database.query.transaction().execute((transaction) => sql`select 1`.execute(transaction));
      await Promise.all(Array.from({ length: 10 }, query));
      line[how]();
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 15 }, query),
        ...Array.from({ length: 5 }, transact),
      ]);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
      line.resume();
      // All of them: no earlier connection is used again.
      const again = await Promise.all(Array.from({ length: 20 }, query));
      expect(again.map(({ rows }) => rows.length)).toEqual(Array.from({ length: 20 }, () => 1));
      await database.close();
    },
  );

  test('connections that died unnoticed cost one round of queries, not one each', async () => {
    const database = await open();
    const query = () => sql`select 1`.execute(database.query);
    await Promise.all(Array.from({ length: 10 }, query));
    expect(line.count()).toBeGreaterThan(1);
    line.lose();
    line.resume();
    await expect(query()).rejects.toThrow(DatabaseUnavailable);
    await query();
    await database.close();
  });

  test('replaces a reset connection, but not because the server refuses a query', async () => {
    const database = await open();
    const query = () => sql`select 1`.execute(database.query);
    await query();
    line.reset();
    await query().catch(() => {});
    await query();
    const before = line.count();
    await expect(sql`select * from no_such_table`.execute(database.query)).rejects.toThrow(/no_such_table/);
    await query();
    expect(line.count()).toBe(before);
    await database.close();
  });

  test('the server stops working for a caller who left', async () => {
    const database = await open();
    await expect(sql`select pg_sleep(60)`.execute(database.query)).rejects.toThrow();
    const unhurried = await place.open();
    const stillRuns = async () => {
      const { rows } = await sql<{ running: number }>`
        select count(*)::int as running from pg_stat_activity
        where query = 'select pg_sleep(60)' and state = 'active'`.execute(unhurried.query);
      return rows[0]?.running !== 0;
    };
    await vi.waitUntil(async () => !(await stillRuns()), { timeout: 10_000 });
    await unhurried.close();
    await database.close();
  });

  test('an import may take longer than a request', async () => {
    const unhurried = await place.open();
    await sql`select pg_sleep(1)`.execute(unhurried.query);
    await unhurried.close();
  });

  test('the time of connecting is taken from the first query alone', async () => {
    const pool = createPostgresqlPool(place.environment.DATABASE_URL ?? '', patience, () => {});
    const client = await pool.connect();
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    for (let n = 0; n < 3; n++) await client.query('select 1', []);
    const limits = sent.mock.calls.map(
      ([query]) => (query as unknown as pg.QueryConfig & { query_timeout: number }).query_timeout,
    );
    sent.mockRestore();
    expect(limits[0]).toBeLessThan(patience.answerMs);
    expect(limits.slice(1)).toEqual([patience.answerMs, patience.answerMs]);
    client.release();
    await pool.end();
  });

  test('closing does not wait for a silent server', async () => {
    const database = await open();
    await sql`select 1`.execute(database.query);
    line.lose();
    const asked = sql`select 1`.execute(database.query).catch(() => {});
    await asked;
    await database.close();
  });
});
