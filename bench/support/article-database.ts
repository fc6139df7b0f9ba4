import { type Kysely, sql } from 'kysely';
import { listName, markList } from '../../src/content/reading/listings.ts';
import { saveAuthors, saveCategories } from '../../src/content/writing/categories-and-authors.ts';
import type { Database, Tables } from '../../src/stores/contracts/database.ts';
import { migrate } from '../../src/stores/migrate.ts';

const authors = ['editors', 'desk'] as const;
const categoryUids = ['guides', 'formats', 'rights'] as const;

const paragraph = 'A sentence about how a video is saved, with [a link](/posts) and **emphasis** in it. ';

/** Writes articles as a site would have them after years, without a file for each. */
export async function fill({ query, engine }: Database, count: number): Promise<void> {
  await query.transaction().execute(async (transaction) => {
    const text = (name: string) => ({ en: { name, description: name } });
    await saveCategories(
      transaction,
      categoryUids.map((uid, position) => ({ uid, slug: uid, parent: null, position, texts: text(uid) })),
    );
    await saveAuthors(
      transaction,
      authors.map((id, position) => ({
        id,
        picture: null,
        position,
        texts: { en: { name: id, bio: 'We write.', links: [] } },
      })),
    );
    const body = `## First\n\n${paragraph.repeat(3)}\n\n## Second\n\n${paragraph.repeat(3)}\n`;
    await sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
      insert into articles (key, locale, slug, category_id, author_id, title, description, keywords,
        published_at, updated_at, views, heat, pictures, digest, body)
      select 'article-' || n, 'en', 'article-' || n, 1 + n % 3, case n % 2 when 0 then 'editors' else 'desk' end,
        'Article ' || n, 'What the article is about', 'save, video',
        1700000000000 + cast(n as bigint) * 60000, 1700000000000 + cast(n as bigint) * 60000,
        case n % 100 when 0 then n else 0 end, case n % 100 when 0 then n else 0 end, '{}', 'none', ${body}
      from numbers`.execute(transaction);
    await sql`
      insert into listings (locale, list, published_at, article_id)
      select locale, 'all', published_at, id from articles
      union all select locale, 'category:' || category_id, published_at, id from articles
      union all select locale, 'author:' || author_id, published_at, id from articles`.execute(transaction);
    for (const list of allLists()) await markList(transaction, 'en', list);
  });
  if (engine === 'postgresql') await sql`vacuum analyze`.execute(query);
  else await sql`analyze`.execute(query);
}

function allLists(): string[] {
  return [
    listName('all'),
    ...categoryUids.map((_, at) => listName({ category: at + 1 })),
    ...authors.map((author) => listName({ author })),
  ];
}

/** An empty database with all tables, where a product finds it with this environment. */
export async function prepare(database: Database): Promise<Database> {
  await migrate(database);
  return database;
}

/** What the engine does for a statement. */
export async function planOf(
  query: Kysely<Tables>,
  engine: Database['engine'],
  statement: { sql: string; parameters: readonly unknown[] },
): Promise<string[]> {
  const explain =
    engine === 'sqlite' ? 'explain query plan ' : 'explain (analyze, costs off, timing off, summary off) ';
  const { rows } = await query.executeQuery<Record<string, unknown>>({
    ...sql.raw(explain + statement.sql).compile(query),
    parameters: statement.parameters,
  });
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN']));
}
