import type { Kysely } from 'kysely';
import type { Database, Tables } from '../../stores/contracts/database.ts';
import { type ContentChange, noteChanges } from '../changes.ts';
import { type ArticleToSave, markTouched, saveArticles, type TouchedLists } from '../save-articles.ts';
import { saveAuthors, saveCategories } from '../save-surroundings.ts';
import { makePictures } from './pictures.ts';
import { ImportRefused, type Problem } from './problems.ts';
import {
  type ContentPart,
  type ReadArticle,
  type ReadFolder,
  readContentFolder,
  type SiteNames,
} from './read-folder.ts';

/** What an import did, or would do. */
export interface ImportReport {
  readonly articles: { readonly added: number; readonly changed: number; readonly unchanged: number };
  readonly categories: number;
  readonly authors: number;
  /** Pictures that were made into their sizes. */
  readonly pictures: number;
}

export interface ImportOptions {
  readonly folder: string;
  readonly parts: readonly ContentPart[];
  readonly names: SiteNames;
  /** Check everything and say what would be done. */
  readonly dryRun: boolean;
  readonly now: number;
  /** Told how far each stage is. */
  readonly onProgress: (stage: 'reading' | 'pictures' | 'writing', done: number, all: number) => void;
}

/** What stands in the database already, by `key/locale` and by `locale/slug`. */
interface Before {
  readonly digests: ReadonlyMap<string, string>;
  readonly slugs: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

const partSize = 5000;
const dayMs = 86_400_000;

async function readBefore(query: Kysely<Tables>): Promise<Before> {
  const [digests, slugs, keys] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  for (let last = 0; ; ) {
    const rows = await query
      .selectFrom('articles')
      .select(['id', 'key', 'locale', 'slug', 'digest'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(partSize)
      .execute();
    for (const { key, locale, slug, digest } of rows) {
      digests.set(`${key}/${locale}`, digest);
      slugs.set(`${key}/${locale}`, slug);
      keys.set(`${locale}/${slug}`, key);
    }
    if (rows.length < partSize) return { digests, slugs, keys };
    last = rows.at(-1)?.id ?? last;
  }
}

/** What only all files and the database together can show to be wrong. */
async function checkTogether(
  query: Kysely<Tables>,
  read: ReadFolder,
  before: Before,
  now: number,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const stored = await query.selectFrom('categories').select(['uid', 'slug']).execute();
  const categories = new Set([...stored, ...read.categories].flatMap(({ uid, slug }) => [uid, slug]));
  const storedAuthors = await query.selectFrom('authors').select('id').execute();
  const authors = new Set([...storedAuthors, ...read.authors].map(({ id }) => id));
  const taken = new Map<string, string>();
  const here = new Map(read.articles.map(({ key, locale, slug }) => [`${key}/${locale}`, slug]));
  for (const { file, lineOf, category, authorId, locale, slug, key, publishedAt } of read.articles) {
    const refuse = (field: string, reason: string) => problems.push({ file, line: lineOf(field), reason });
    if (!categories.has(category)) refuse('category', `category: there is no category "${category}"`);
    if (!authors.has(authorId)) refuse('author', `author: there is no author "${authorId}"`);
    // An article is shown from its import on; a day's grace is for dates without a time zone.
    if (publishedAt > now + dayMs) refuse('published', 'published: lies in the future');
    const address = `${locale}/${slug}`;
    const other = taken.get(address);
    if (other !== undefined) refuse('slug', `"/${slug}" is the address of ${other} already`);
    taken.set(address, file);
    const owner = before.keys.get(address);
    const moves = owner !== undefined && (here.get(`${owner}/${locale}`) ?? slug) !== slug;
    if (owner !== undefined && owner !== key && !moves)
      refuse('slug', `"/${slug}" is the address of the article ${owner} already`);
  }
  for (const { slug, uid } of stored)
    for (const one of read.categories)
      if (one.slug === slug && one.uid !== uid)
        problems.push({
          file: 'categories',
          line: 0,
          reason: `the slug "${slug}" belongs to the category ${uid}`,
        });
  return problems;
}

function changesOf(
  read: ReadFolder,
  changed: readonly ReadArticle[],
  before: Before,
  surroundingsChanged: boolean,
): ContentChange[] {
  const articles = changed.flatMap(({ key, locale, slug }): ContentChange[] => {
    const old = before.slugs.get(`${key}/${locale}`);
    const names = old === undefined || old === slug ? [slug] : [slug, old];
    return names.map((name) => ({ subject: 'article', locale, name }));
  });
  if (!surroundingsChanged) return articles;
  return [
    ...articles,
    ...read.categories.map(({ slug }): ContentChange => ({ subject: 'category', locale: '', name: slug })),
    ...read.authors.map(({ id }): ContentChange => ({ subject: 'author', locale: '', name: id })),
  ];
}

/** All texts of categories and authors as one value, to see whether an import changed any. */
async function surroundings(query: Kysely<Tables>): Promise<string> {
  const tables = await Promise.all([
    query.selectFrom('categories').selectAll().orderBy('id').execute(),
    query.selectFrom('category_texts').selectAll().orderBy('category_id').orderBy('locale').execute(),
    query.selectFrom('authors').selectAll().orderBy('id').execute(),
    query.selectFrom('author_texts').selectAll().orderBy('author_id').orderBy('locale').execute(),
  ]);
  return JSON.stringify(tables);
}

/**
 * Brings a folder of articles, authors and categories into the database: everything or, when one file is wrong, nothing.
 * What is in the database and not in the folder stays. Doing it twice changes nothing the second time.
 * @throws ImportRefused with every mistake, each with file, line and reason
 */
export async function importContent(
  { query, engine }: Database,
  options: ImportOptions,
): Promise<ImportReport> {
  const { folder, parts, names, dryRun, now, onProgress } = options;
  const read = await readContentFolder(folder, parts, names, (done, all) => onProgress('reading', done, all));
  const before = await readBefore(query);
  const problems = [...read.problems, ...(await checkTogether(query, read, before, now))];
  if (problems.length > 0) throw new ImportRefused(problems);

  const changed = read.articles.filter(
    ({ key, locale, digest }) => before.digests.get(`${key}/${locale}`) !== digest,
  );
  const added = changed.filter(({ key, locale }) => !before.digests.has(`${key}/${locale}`)).length;
  const report = {
    articles: { added, changed: changed.length - added, unchanged: read.articles.length - changed.length },
    categories: read.categories.length,
    authors: read.authors.length,
  };
  if (dryRun) return { ...report, pictures: 0 };

  // Before the transaction: making pictures takes long, and one that nobody mentions yet does no harm.
  let pictures = 0;
  for await (const made of makePictures(query, read.pictures)) {
    await query
      .insertInto('pictures')
      .values(made)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    onProgress('pictures', ++pictures, read.pictures.length);
  }
  await query.transaction().execute(async (transaction) => {
    const surroundingsBefore = await surroundings(transaction);
    const touched: TouchedLists = new Map();
    await saveAuthors(transaction, read.authors);
    await saveCategories(transaction, read.categories);
    const stored = await transaction.selectFrom('categories').select(['id', 'uid', 'slug']).execute();
    const categoryIds = new Map(
      stored.flatMap(({ id, uid, slug }) => [[slug, id] as const, [uid, id] as const]),
    );
    const ready = changed.map(({ file, lineOf, category, ...article }): ArticleToSave => {
      const categoryId = categoryIds.get(category);
      if (categoryId === undefined) throw new Error(`${file}: category ${category} went away meanwhile`);
      return { ...article, categoryId };
    });
    await saveArticles(transaction, ready, touched, (done) => onProgress('writing', done, ready.length));
    await markTouched(transaction, touched);
    const surroundingsChanged = (await surroundings(transaction)) !== surroundingsBefore;
    await noteChanges(transaction, engine, changesOf(read, changed, before, surroundingsChanged), now);
  });
  return { ...report, pictures };
}
