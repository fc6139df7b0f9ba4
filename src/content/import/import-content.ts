import type { Kysely } from 'kysely';
import type { Database, Tables } from '../../stores/contracts/database.ts';
import type { PictureFiles } from '../../stores/contracts/picture-files.ts';
import type { ArticleToSave } from '../content.ts';
import { ImportRefused } from '../files/problems.ts';
import { markList } from '../reading/listings.ts';
import { saveArticles, type TouchedLists } from '../writing/articles.ts';
import { saveAuthors, saveCategories } from '../writing/categories-and-authors.ts';
import { type ContentChange, noteChanges } from '../writing/changes.ts';
import { type Before, type ChangedArticle, checkArticles, readAgain, readBefore } from './check-articles.ts';
import { FolderReader, type SiteNames } from './folder-reader.ts';
import { type ImportLock, takeImportLock } from './import-lock.ts';
import { brokenPictures, makePictures } from './pictures.ts';
import { type ContentPart, type ReadFolder, readContentFolder } from './read-folder.ts';

/** The result of an import, or of its dry run. */
export interface ImportReport {
  readonly articles: { readonly added: number; readonly changed: number; readonly unchanged: number };
  readonly categories: number;
  readonly authors: number;
  /** Pictures that were made into their sizes. */
  readonly pictures: number;
}

interface ImportOptions {
  readonly folder: string;
  readonly parts: readonly ContentPart[];
  readonly names: SiteNames;
  /** Check everything and say what would be done. */
  readonly dryRun: boolean;
  readonly now: number;
  /** The store of pictures. */
  readonly pictures: PictureFiles;
  /** Leaves new articles unpublished. Those that are there already stay as they are in any case. */
  readonly unpublished?: boolean;
  /** Tries whether every changed text can be made in time; false for those that come with the product. */
  readonly tryTexts?: boolean;
  /** Called when another import runs, for which this one waits. */
  readonly onWait?: () => void;
  /** Called with the progress of each stage. */
  readonly onProgress: (stage: 'reading' | 'pictures' | 'writing', done: number, all: number) => void;
}

/** Articles written in one transaction, which blocks other writers for some 50 ms. */
const batchSize = 100;

function changesOf(
  found: ReadFolder,
  changed: readonly ChangedArticle[],
  before: Before,
  othersChanged: boolean,
): ContentChange[] {
  const articles = changed.flatMap(({ key, locale, slug }): ContentChange[] => {
    const old = before.articles.get(`${key}/${locale}`)?.slug;
    const names = old === undefined || old === slug ? [slug] : [slug, old];
    return names.map((name) => ({ subject: 'article', locale, name }));
  });
  if (!othersChanged) return articles;
  return [
    ...articles,
    ...found.categories.map(({ slug }): ContentChange => ({ subject: 'category', locale: '', name: slug })),
    ...found.authors.map(({ id }): ContentChange => ({ subject: 'author', locale: '', name: id })),
  ];
}

/** All texts of categories and authors as one value, to see whether an import changed any. */
async function readCategoriesAndAuthors(query: Kysely<Tables>): Promise<string> {
  const tables = await Promise.all([
    query.selectFrom('categories').selectAll().orderBy('id').execute(),
    query.selectFrom('category_texts').selectAll().orderBy('category_id').orderBy('locale').execute(),
    query.selectFrom('authors').selectAll().orderBy('id').execute(),
    query.selectFrom('author_texts').selectAll().orderBy('author_id').orderBy('locale').execute(),
  ]);
  return JSON.stringify(tables);
}

/** @returns whether any of them changed */
async function writeCategoriesAndAuthors(
  query: Kysely<Tables>,
  found: ReadFolder,
  lock: ImportLock,
  unfinished: boolean,
): Promise<boolean> {
  return query.transaction().execute(async (transaction) => {
    await lock.confirm(transaction, unfinished);
    const before = await readCategoriesAndAuthors(transaction);
    await saveAuthors(transaction, found.authors);
    await saveCategories(transaction, found.categories);
    return (await readCategoriesAndAuthors(transaction)) !== before;
  });
}

/** Writes articles a batch at a time, each of them whole. */
async function writeArticles(
  query: Kysely<Tables>,
  changed: readonly ChangedArticle[],
  before: Before,
  lock: ImportLock,
  { names, unpublishedAt }: { names: SiteNames; unpublishedAt: number | null },
  onWritten: (done: number) => void,
): Promise<TouchedLists> {
  const touched: TouchedLists = new Map();
  const stored = await query.selectFrom('categories').select(['id', 'uid', 'slug']).execute();
  const categoryIds = new Map(
    stored.flatMap(({ id, uid, slug }) => [[slug, id] as const, [uid, id] as const]),
  );
  let done = 0;
  const ownerOf = (locale: string, slug: string) => before.owners.get(`${locale}/${slug}`);
  for (const batch of batchesOf(changed, ownerOf, batchSize)) {
    const reader = new FolderReader(names);
    const ready: ArticleToSave[] = [];
    for (const one of batch) {
      if (one.kind === 'same') continue;
      const { category, ...article } = await readAgain(one, reader);
      const categoryId = categoryIds.get(category);
      if (categoryId === undefined) throw new Error(`${one.file}: category ${category} went away meanwhile`);
      ready.push({ ...article, categoryId, source: one.source });
    }
    await query.transaction().execute(async (transaction) => {
      await lock.confirm(transaction, true);
      await saveArticles(transaction, ready, touched, unpublishedAt);
      for (const { key, locale, source, kind } of batch)
        if (kind === 'same')
          await transaction
            .updateTable('articles')
            .set({ source })
            .where('key', '=', key)
            .where('locale', '=', locale)
            .execute();
    });
    done += batch.length;
    onWritten(done);
  }
  return touched;
}

/** All lists: after an unfinished import the touched ones are unknown. */
async function allLists(query: Kysely<Tables>): Promise<TouchedLists> {
  const rows = await query
    .selectFrom('listings')
    .select(['locale', 'list'])
    .distinct()
    .union(query.selectFrom('listing_totals').select(['locale', 'list']))
    .execute();
  const lists: TouchedLists = new Map();
  for (const { locale, list } of rows) lists.set(locale, (lists.get(locale) ?? new Set()).add(list));
  return lists;
}

const everything: ContentChange = { subject: 'article', locale: '', name: '*' };

/**
 * Imports a folder of articles, authors and categories into the database. All files are checked before anything is
 * written; one invalid file stops the import. Articles are then written in batches, so that others can write in
 * between; readers see each article whole, old or new, and lists are recounted at the end. The next import completes an
 * interrupted one. Content that is missing from the folder stays in the database. Importing the same folder again
 * changes nothing. Concurrent imports wait for each other.
 * @throws ImportRefused with every mistake, each with file, line and reason
 */
export async function importContent(database: Database, options: ImportOptions): Promise<ImportReport> {
  const { query } = database;
  if (options.dryRun) return (await checkAll(query, options)).report;
  const lock = await takeImportLock(query, options.onWait ?? (() => {}), Date.now);
  try {
    return await importLocked(database, options, lock);
  } finally {
    await lock.release();
  }
}

/** @throws ImportRefused */
async function checkAll(query: Kysely<Tables>, options: ImportOptions) {
  const { folder, parts, names, now, onProgress, tryTexts = true } = options;
  const reader = new FolderReader(names);
  const found = await readContentFolder(folder, parts, reader);
  const before = await readBefore(query);
  const changed = await checkArticles(query, found, before, reader, {
    now,
    tryTexts,
    onProgress: (done, all) => onProgress('reading', done, all),
  });
  const pictures = [...reader.pictures.values()];
  for await (const [path, reason] of brokenPictures(options.pictures, pictures))
    reader.refuse(path, 0, `breaks off: ${reason}`);
  if (reader.problems.length > 0) throw new ImportRefused(reader.problems);
  const count = (kind: ChangedArticle['kind']) => changed.filter((one) => one.kind === kind).length;
  const [added, altered] = [count('added'), count('changed')];
  const report: ImportReport = {
    articles: { added, changed: altered, unchanged: found.articles.length - added - altered },
    categories: found.categories.length,
    authors: found.authors.length,
    pictures: 0,
  };
  return { found, before, changed, pictures, report };
}

async function importLocked(
  { query, engine }: Database,
  options: ImportOptions,
  lock: ImportLock,
): Promise<ImportReport> {
  const { names, now, onProgress, unpublished = false } = options;
  const unpublishedAt = unpublished ? now : null;
  const { found, before, changed, pictures: files, report } = await checkAll(query, options);
  // Before the articles: making pictures takes long, and an unreferenced picture does no harm.
  let pictures = 0;
  for await (const made of makePictures(options.pictures, files)) {
    await options.pictures.write(made);
    onProgress('pictures', ++pictures, files.length);
  }
  const shown = changed.filter(({ kind }) => kind !== 'same');
  const unfinished = lock.wasUnfinished || shown.length > 0;
  const othersChanged = await writeCategoriesAndAuthors(query, found, lock, unfinished);
  const written = await writeArticles(query, changed, before, lock, { names, unpublishedAt }, (done) =>
    onProgress('writing', done, changed.length),
  );
  const touched = lock.wasUnfinished ? await allLists(query) : written;
  for (const [locale, lists] of touched)
    for (const list of lists)
      await query.transaction().execute((transaction) => markList(transaction, locale, list));
  // Last, so that no page is rendered from lists that are not recounted yet.
  await query.transaction().execute(async (transaction) => {
    await lock.confirm(transaction, false);
    const changes = changesOf(found, shown, before, othersChanged);
    await noteChanges(transaction, engine, lock.wasUnfinished ? [everything] : changes, now);
  });
  return { ...report, pictures };
}

/**
 * Articles in batches. All that take the address of another one, and those that give theirs up, are the first batch: these
 * addresses change in one transaction, however many they are.
 * @param ownerOf the present owner of an address, by its key
 * @param size of the other batches
 */
export function batchesOf<A extends Pick<ChangedArticle, 'key' | 'locale' | 'slug'>>(
  articles: readonly A[],
  ownerOf: (locale: string, slug: string) => string | undefined,
  size: number,
): A[][] {
  const exchanging = new Set<string>();
  for (const { locale, key, slug } of articles) {
    const owner = ownerOf(locale, slug) ?? key;
    if (owner !== key) exchanging.add(`${locale}/${key}`).add(`${locale}/${owner}`);
  }
  const isExchanging = ({ locale, key }: A) => exchanging.has(`${locale}/${key}`);
  const others = articles.filter((one) => !isExchanging(one));
  const batches = exchanging.size > 0 ? [articles.filter(isExchanging)] : [];
  for (let at = 0; at < others.length; at += size) batches.push(others.slice(at, at + size));
  return batches;
}
