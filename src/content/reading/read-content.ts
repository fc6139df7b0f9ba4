import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { defaultLocale } from '../../i18n/languages.ts';
import type { Tables } from '../../stores/contracts/database.ts';
import type { PictureFiles } from '../../stores/contracts/picture-files.ts';
import { pageColumns, summaryColumns } from '../../stores/contracts/tables/article-table.ts';
import { namesOf, readRow } from '../../stores/contracts/tables/columns.ts';
import type { ArticleSummary, Author, AuthorLink, Category, Content } from '../content.ts';
import { viewWeight } from '../popularity.ts';
import { listLengths, listName, readListPage, readNewest, selectSummary, toSummary } from './listings.ts';

type AuthorRow = Selectable<Tables['authors']>;
type TextRow = Selectable<Tables['author_texts']>;

function toAuthor(
  row: AuthorRow,
  texts: readonly TextRow[],
  lengths: ReadonlyMap<string, number>,
  locale: string,
): Author {
  const own = texts.filter(({ author_id }) => author_id === row.id);
  const text = own.find((one) => one.locale === locale) ?? own[0];
  return {
    id: row.id,
    name: text?.name ?? row.id,
    bio: text?.bio ?? '',
    picture: summaryColumns.cover.read(row.picture),
    links: JSON.parse(text?.links ?? '[]') as AuthorLink[],
    articles: lengths.get(listName({ author: row.id })) ?? 0,
  };
}

const texts = (query: Kysely<Tables>, locale: string) =>
  query.selectFrom('author_texts').selectAll().where('locale', 'in', [locale, defaultLocale]);

/** {@link Content.authors} */
async function readAuthors(query: Kysely<Tables>, locale: string): Promise<Author[]> {
  const [rows, textRows, lengths] = await Promise.all([
    query.selectFrom('authors').selectAll().orderBy('position').orderBy('id').execute(),
    texts(query, locale).execute(),
    listLengths(query, locale),
  ]);
  return rows.map((row) => toAuthor(row, textRows, lengths, locale));
}

/** {@link Content.author} */
async function readAuthor(query: Kysely<Tables>, locale: string, id: string): Promise<Author | null> {
  const [row, textRows, lengths] = await Promise.all([
    query.selectFrom('authors').selectAll().where('id', '=', id).executeTakeFirst(),
    texts(query, locale).where('author_id', '=', id).execute(),
    listLengths(query, locale),
  ]);
  return row === undefined ? null : toAuthor(row, textRows, lengths, locale);
}

/** {@link Content.categories} */
async function readCategories(query: Kysely<Tables>, locale: string): Promise<Category[]> {
  const [rows, texts, lengths] = await Promise.all([
    query.selectFrom('categories').selectAll().orderBy('position').orderBy('id').execute(),
    query.selectFrom('category_texts').selectAll().where('locale', 'in', [locale, defaultLocale]).execute(),
    listLengths(query, locale),
  ]);
  const textOf = (id: number) => {
    const own = texts.filter(({ category_id }) => category_id === id);
    return own.find((text) => text.locale === locale) ?? own[0];
  };
  const under = (parent: number | null): Category[] =>
    rows
      .filter(({ parent_id }) => parent_id === parent)
      .map(({ id, uid, slug }) => ({
        id,
        uid,
        slug,
        name: textOf(id)?.name ?? slug,
        description: textOf(id)?.description ?? '',
        articles: lengths.get(listName({ category: id })) ?? 0,
        children: under(id),
      }));
  return under(null);
}

/** Minimum popularity of a hot article: that of one view today. */
const minRecentViews = 1;

type Ranked = SelectQueryBuilder<Tables, 'articles', object>;

/** The operator's picks, then the others; two short scans of partial indexes. */
async function ranked(
  query: Kysely<Tables>,
  wanted: { locale: string; start: number; size: number },
  order: 'heat' | 'views',
  putForward: (rows: Ranked) => Ranked,
  others: (rows: Ranked) => Ranked,
): Promise<ArticleSummary[]> {
  const { locale, start, size } = wanted;
  const rows = (choose: (rows: Ranked) => Ranked) =>
    choose(
      query
        .selectFrom('articles')
        .where('articles.locale', '=', locale)
        .where('articles.unpublished_at', 'is', null),
    )
      .select(selectSummary)
      .orderBy(`articles.${order}`, 'desc')
      .orderBy('articles.id', 'desc')
      .limit(start + size)
      .execute();
  const first = await rows(putForward);
  const rest = first.length < start + size ? await rows(others) : [];
  const seen = new Set(first.map(({ id }) => id));
  return [...first, ...rest.filter(({ id }) => !seen.has(id))].slice(start, start + size).map(toSummary);
}

/** The next older articles of an article's category, and the newest ones where there are not enough. */
async function readRelated(
  query: Kysely<Tables>,
  article: Parameters<Content['related']>[0],
  size: number,
): Promise<ArticleSummary[]> {
  const list = { category: article.categoryId };
  const { locale } = article;
  const before = await readNewest(query, { locale, list, size, before: article });
  if (before.length === size) return before;
  const newest = await readNewest(query, { locale, list, size: size + 1 + before.length });
  const seen = new Set([article.id, ...before.map(({ id }) => id)]);
  return [...before, ...newest.filter(({ id }) => !seen.has(id))].slice(0, size);
}

/** The articles that are hot, most read and newest. @param now milliseconds since 1970 */
async function readSelection(
  query: Kysely<Tables>,
  wanted: Parameters<Content['selection']>[0],
  now: number,
): ReturnType<Content['selection']> {
  const [hot, top, recently] = await Promise.all([
    ranked(
      query,
      wanted,
      'heat',
      (rows) => rows.where('is_hot', '=', sql.lit(1)),
      (rows) => rows.where('heat', '>', sql.lit(0)).where('heat', '>=', minRecentViews * viewWeight(now)),
    ),
    ranked(
      query,
      wanted,
      'views',
      (rows) => rows.where('is_top', '=', sql.lit(1)),
      (rows) => rows.where('views', '>', sql.lit(0)),
    ),
    readNewest(query, { ...wanted, list: 'all' }),
  ]);
  return { hot, top, recently };
}

/**
 * Reads articles, categories and authors from the database.
 * @param now milliseconds since 1970; popularity decays with time
 * @param pictures where their files are stored
 */
export function createContent(
  query: Kysely<Tables>,
  now: () => number,
  pictures: Pick<PictureFiles, 'read'>,
): Content {
  return {
    articles: (wanted) => readListPage(query, wanted),

    async article(locale, slug) {
      const row = await query
        .selectFrom('articles')
        .select(namesOf(pageColumns))
        .where('locale', '=', locale)
        .where('slug', '=', slug)
        .where('unpublished_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? null : readRow(pageColumns, row);
    },

    async translations(key) {
      const rows = await query
        .selectFrom('articles')
        .select(['locale', 'slug', 'updated_at as updatedAt'])
        .where('key', '=', key)
        .where('unpublished_at', 'is', null)
        .orderBy('locale')
        .execute();
      return rows;
    },

    async allTranslations(keys) {
      const rows = await query
        .selectFrom('articles')
        .select(['key', 'locale', 'slug', 'updated_at as updatedAt'])
        .where('key', 'in', keys)
        .where('unpublished_at', 'is', null)
        .orderBy('key')
        .orderBy('locale')
        .execute();
      return Map.groupBy(rows, ({ key }) => key);
    },

    related: (article, size) => readRelated(query, article, size),
    selection: (wanted) => readSelection(query, wanted, now()),
    categories: (locale) => readCategories(query, locale),
    authors: (locale) => readAuthors(query, locale),
    author: (locale, id) => readAuthor(query, locale, id),

    pictureFile: (id, width, format) => pictures.read({ id, width, format }),
  };
}
