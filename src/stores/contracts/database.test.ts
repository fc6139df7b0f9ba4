import type { Generated, Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Tables } from './database.ts';
import { engines, openFreshDatabase } from './testing/services/databases.ts';

const takedown = (name: string) => ({
  kind: 'post' as const,
  name,
  url: name,
  reason: '',
  ends_at: null,
  made_at: Date.UTC(2026, 10, 21),
});

type Takedowns = { takedowns: ReturnType<typeof takedown> & { id: Generated<number> } };

const withRows = (query: Kysely<Tables>) => query.$extendTables<Takedowns>();

describe.each(engines)('a database: $name', (engine) => {
  test('keeps integers, fractions, text of all scripts, bytes and null unchanged', async () => {
    await using fresh = await openFreshDatabase(engine);
    const query = withRows(fresh.database.query);
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    await query.insertInto('pictures').values({ id: 'a', width: 1, format: 'jpg', bytes }).execute();
    const picture = await query.selectFrom('pictures').selectAll().executeTakeFirstOrThrow();
    expect([...picture.bytes]).toEqual([...bytes]);
    const text = 'İstanbul العربية 日本語 😀 \'; drop table "articles" --';
    await query.insertInto('takedowns').values(takedown(text)).execute();
    const row = await query.selectFrom('takedowns').selectAll().executeTakeFirstOrThrow();
    expect(row).toEqual({ id: 1, ...takedown(text) });
  });

  test('a transaction that fails leaves nothing behind, and the next one works', async () => {
    await using fresh = await openFreshDatabase(engine);
    const query = withRows(fresh.database.query);
    const failing = query.transaction().execute(async (transaction) => {
      await transaction.insertInto('takedowns').values(takedown('1')).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const twice = query.transaction().execute(async (transaction) => {
      await transaction.insertInto('takedowns').values(takedown('2')).execute();
      await transaction.insertInto('takedowns').values(takedown('2')).execute();
    });
    await expect(twice).rejects.toThrow(/unique/i);
    await query
      .transaction()
      .execute((transaction) => transaction.insertInto('takedowns').values(takedown('3')).execute());
    const rows = await query.selectFrom('takedowns').select('name').execute();
    expect(rows).toEqual([{ name: '3' }]);
  });

  test('readers neither wait for a transaction nor see half of it; writers take turns', async () => {
    await using fresh = await openFreshDatabase(engine);
    const query = withRows(fresh.database.query);
    const written = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const long = query.transaction().execute(async (transaction) => {
      await transaction.insertInto('takedowns').values(takedown('long')).execute();
      written.resolve();
      await goOn.promise;
    });
    await written.promise;
    expect(await query.selectFrom('takedowns').selectAll().execute()).toEqual([]);
    const others = Array.from({ length: 5 }, (_, n) =>
      query
        .insertInto('takedowns')
        .values(takedown(String(n)))
        .execute(),
    );
    goOn.resolve();
    await Promise.all([long, ...others]);
    expect(await query.selectFrom('takedowns').selectAll().execute()).toHaveLength(6);
  });

  test('writers of several processes wait for each other instead of failing', async () => {
    await using fresh = await openFreshDatabase(engine);
    const connections = await Promise.all(Array.from({ length: 3 }, () => fresh.place.open()));
    await Promise.all(
      connections.flatMap(({ query }, at) =>
        Array.from({ length: 20 }, (_, n) =>
          withRows(query)
            .transaction()
            .execute(async (transaction) => {
              const { total } = await transaction
                .selectFrom('takedowns')
                .select(({ fn }) => fn.countAll<number>().as('total'))
                .executeTakeFirstOrThrow();
              await transaction
                .insertInto('takedowns')
                .values(takedown(`${at}-${n}-${total}`))
                .execute();
            }),
        ),
      ),
    );
    const rows = await withRows(fresh.database.query).selectFrom('takedowns').select('id').execute();
    expect(rows).toHaveLength(60);
    await Promise.all(connections.map((connection) => connection.close()));
  });
});
