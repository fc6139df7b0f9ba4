import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { engines } from './contracts/testing/services/databases.ts';
import { migrate } from './migrate.ts';

describe.each(engines)('$name', (engine) => {
  test('of several instances that start at once, one creates the tables and the others wait for it', async () => {
    const place = await engine.makePlace();
    const databases = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    const taken = await Promise.all(databases.map((database) => migrate(database)));
    expect(taken.flat().sort()).toEqual(migrations.map(({ name }) => name).sort());
    expect(taken.filter((steps) => steps.length > 0)).toHaveLength(1);
    await Promise.all(databases.map((database) => database.close()));
    await place.remove();
  });

  test('a step that fails leaves nothing behind, and the database of a newer version is refused', async () => {
    const place = await engine.makePlace();
    const database = await place.open();
    const failing = {
      name: '9999-failing',
      async up() {
        throw new Error('this step fails');
      },
    };
    await expect(migrate(database, [...migrations, failing])).rejects.toThrow('this step fails');
    await expect(sql`select * from articles`.execute(database.query)).rejects.toThrow();
    const later = { name: '9999-later', async up() {} };
    expect(await migrate(database, [...migrations, later])).toContain('9999-later');
    await expect(migrate(database)).rejects.toThrow(
      /newer version: it has the steps 9999-later\. .*restore the backup/,
    );
    await database.close();
    await place.remove();
  });

  test('the ninth step names the platform of takedowns from before there were several', async () => {
    const place = await engine.makePlace();
    const database = await place.open();
    const { query } = database;
    await migrate(database, migrations.slice(0, 8));
    for (const [kind, name] of [
      ['post', '7615133378163811813'],
      ['author', 'some.one'],
    ] as const)
      await query.insertInto('takedowns').values({ kind, name, url: '', made_at: 1 }).execute();
    await migrate(database, migrations.slice(0, 9));
    const rows = await query.selectFrom('takedowns').select(['kind', 'name']).orderBy('id').execute();
    expect(rows).toEqual([
      { kind: 'post', name: 'tiktok/7615133378163811813' },
      { kind: 'author', name: 'tiktok/some.one' },
    ]);
    await database.close();
    await place.remove();
  });

  test('the eighth step limits retries, and acknowledgements of one mailbox', async () => {
    const place = await engine.makePlace();
    const database = await place.open();
    const { query } = database;
    await migrate(database, migrations.slice(0, 7));
    const device = { auth: '', pdhkey: '', language: 'en', diff_time: 0, device_model: '', app_id: '' };
    for (const endpoint of ['a', 'b', 'c'])
      await query
        .insertInto('push_subscriptions')
        .values({ ...device, endpoint, explorer: '', explorer_version: '', made_at: 0, seen_at: 0 })
        .execute();
    for (const reached of [3, 2, 3])
      await sql`insert into push_messages (title, body, url, quiet, made_at, reached, last, is_open, given_up)
        values ('', '', '/', 1, 0, ${reached}, 3, 1, 1)`.execute(query);
    await sql`insert into push_retries values (1, 1, 1, 0), (1, 2, 1, 0), (2, 1, 1, 0)`.execute(query);
    for (const id of [1, 2, 3]) {
      await sql`insert into messages (form, locale, name, email, subject, fields, made_at, mail_state, mail_next_at)
        values ('contact', 'en', '', '', '', '{}', 0, 'sent', 0)`.execute(query);
      await sql`insert into acknowledgements (id, mailbox, made_at, mail_state, mail_next_at)
        values (${id}, ${id === 3 ? 'b' : 'a'}, 0, 'waiting', 0)`.execute(query);
    }
    await migrate(database, migrations.slice(0, 8));
    const messages = await query
      .selectFrom('push_messages')
      .select(['is_open', 'given_up'])
      .orderBy('id')
      .execute();
    expect(messages).toEqual([
      { is_open: 0, given_up: 3 },
      { is_open: 1, given_up: 2 },
      { is_open: 0, given_up: 1 },
    ]);
    expect(await query.selectFrom('acknowledgements').select('id').orderBy('id').execute()).toEqual([
      { id: 1 },
      { id: 3 },
    ]);
    await database.close();
    await place.remove();
  });
});
