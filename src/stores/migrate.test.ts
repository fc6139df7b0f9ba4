import { type Generated, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { engines } from './contracts/testing/services/databases.ts';
import { migrate } from './migrate.ts';

type Row = Record<string, unknown> & { id: Generated<number> };
/** Tables of features, whose columns are theirs. */
type OfFeatures = Record<
  'takedowns' | 'push_subscriptions' | 'push_messages' | 'messages' | 'acknowledgements',
  Row
>;

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
    const query = database.query.$extendTables<OfFeatures>();
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
    const query = database.query.$extendTables<OfFeatures>();
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

  test('the seventeenth step keeps what was counted before there was one tally', async () => {
    const place = await engine.makePlace();
    const database = await place.open();
    const { query } = database;
    await migrate(database, migrations.slice(0, 16));
    for (const statement of [
      sql`insert into daily_sums values
        ('2024-12-31', 'view', 'home', '', '', 'de', 'phone', 2), ('2025-01-01', 'view', 'home', '', '', 'en', '', 3),
        ('2025-01-01', 'event', 'home', 'page_scroll', '40', 'de', 'phone', 4),
        ('2025-01-01', 'event', 'blog', 'page_scroll', '40', 'en', 'phone', 5),
        ('2025-01-01', 'event', 'blog', 'page_scroll', '40', 'de', 'phone', 1),
        ('2025-01-01', 'event', 'home', 'page_view', '', '', '', 6),
        ('2025-01-01', 'visitor', '', '', '', 'de', '', 7), ('2025-01-01', 'visitor', '', '', '', 'en', '', 1),
        ('2025-01-01', 'download', '', 'mp4', 'complete', '', 'phone', 9),
        ('2025-01-01', 'uncounted', '', 'visit', 'network limit', '', '', 2)`,
      sql`insert into experiment_days values ('ab', 'a', '2025-01-01', 10, 0), ('ab', 'b', '2025-01-01', 8, 3)`,
      sql`insert into outcomes values (482136, 'links', 11, 0), (482136, 'videos', 1, 12)`,
      sql`insert into operator_tries values (20089, '192.0.2.0/24', 13, 0, 1735711200000)`,
      sql`insert into hourly_counts values ('mails', 482136, 14), ('refused messages', 482136, 15)`,
      sql`insert into hourly_figures values ('post', 482136, 'read', 'ok', 16)`,
      sql`insert into daily_figures values ('post', 20089, 'read', 'ok', 17), ('view', 20089, 'home', '', 3)`,
      sql`insert into monthly_figures values ('post', 660, 'read', 'ok', 18), ('view', 660, 'home', '', 3)`,
      sql`insert into api_keys (name, hash, times, made_at, requests, used_at)
        values ('new', '1', 1, 0, 0, null), ('used', '2', 1, 0, 19, 1735711200000)`,
    ])
      await statement.execute(query);
    await migrate(database, migrations.slice(0, 17));
    const rows = await query.selectFrom('tally').selectAll().execute();
    const text = rows.map(({ subject, unit, at, name, detail, total, last_at }) =>
      [subject, unit, at, name, detail, total, last_at].join('|'),
    );
    expect(text.sort()).toEqual([
      'api_key|month|660|used||19|1735711200000',
      'conversion|day|20089|ab|b|3|0',
      'download_device|day|20089|mp4|complete phone|9|0',
      'event_page|day|20089|blog|page_scroll 40|6|0',
      'event_page|day|20089|home|page_scroll 40|4|0',
      'event_page|day|20089|home|page_view|6|0',
      'event|day|20089|page_scroll|40|10|0',
      'event|day|20089|page_view||6|0',
      'event|month|660|page_scroll|40|10|0',
      'event|month|660|page_view||6|0',
      'exposure|day|20089|ab|a|10|0',
      'exposure|day|20089|ab|b|8|0',
      'limited|hour|482136|mails||14|0',
      'log_in|day|20089|192.0.2.0/24|failed|13|1735711200000',
      'outcome|hour|482136|links|succeeded|11|0',
      'outcome|hour|482136|videos|failed|12|0',
      'outcome|hour|482136|videos|succeeded|1|0',
      'post|day|20089|read|ok|17|0',
      'post|hour|482136|read|ok|16|0',
      'post|month|660|read|ok|18|0',
      'refused|hour|482136|messages||15|0',
      'uncounted|day|20089|visit|network|2|0',
      'uncounted|month|660|visit|network|2|0',
      'view_from|day|20088|home|de phone|2|0',
      'view_from|day|20089|home|en |3|0',
      'view|day|20088|home||2|0',
      'view|day|20089|home||3|0',
      'view|month|659|home||2|0',
      'view|month|660|home||3|0',
      'visitor|day|20089|||8|0',
      'visitor|month|660|||8|0',
    ]);
    await database.close();
    await place.remove();
  });

  test('the eighteenth step keeps what waits to be sent, and how far it has come', async () => {
    const place = await engine.makePlace();
    const database = await place.open();
    const query = database.query.$extendTables<OfFeatures>();
    await migrate(database, migrations.slice(0, 17));
    for (const statement of [
      sql`insert into messages
        (form, locale, name, email, subject, fields, made_at, mail_state, mail_attempts, mail_next_at, mailed_at)
        values ('contact', 'en', '', '', '', '{}', 0, 'waiting', 3, 40, null), ('dmca', 'en', '', '', '', '{}', 0, 'sent', 1, 2, 5)`,
      sql`insert into acknowledgements (id, mailbox, made_at, mail_state, mail_next_at) values (1, 'a', 0, 'waiting', 41)`,
      sql`insert into message_answers (message_id, text, made_at, mail_state, mail_next_at) values (1, 'a', 0, 'waiting', 42)`,
      sql`insert into alarm_messages (alarm_id, kind, channel, made_at, state, attempts, next_at)
        values (1, 'begun', 'mail', 0, 'waiting', 4, 43)`,
      sql`insert into push_messages (title, body, url, made_at, reached, last, owner, owned_until)
        values ('', '', '/', 0, 7, 9, 'a', 1)`,
      sql`update imports set owner = 'a', unfinished = 1`,
    ])
      await statement.execute(query);
    await migrate(database, migrations.slice(0, 18));
    for (const [table, ...rows] of [
      ['messages', ['waiting', 3, 40, null], ['sent', 1, 2, 5]],
      ['acknowledgements', ['waiting', 0, 41, null]],
      ['message_answers', ['waiting', 0, 42, null]],
      ['alarm_messages', ['waiting', 4, 43, null]],
    ] as const) {
      const found = await query
        .selectFrom(table as 'messages')
        .selectAll()
        .orderBy('id')
        .execute();
      expect(
        found.map(({ state, attempts, next_at, sent_at }) => [state, attempts, next_at, sent_at]),
      ).toEqual(rows);
    }
    expect(await query.selectFrom('push_messages').selectAll().execute()).toMatchObject([
      { reached: 7, last: 9, is_open: 1 },
    ]);
    expect(await query.selectFrom('imports').selectAll().execute()).toEqual([{ id: 1, unfinished: 1 }]);
    await database.close();
    await place.remove();
  });
});
