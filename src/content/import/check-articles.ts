import { availableParallelism } from 'node:os';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { Picture } from '../content.ts';
import { ImportRefused } from '../files/problems.ts';
import { createBoundedRenderer, TextRefused } from '../rich-text/bounded-renderer.ts';
import type { FolderReader } from './folder-reader.ts';
import {
  type ArticleFile,
  pictureNames,
  type ReadArticle,
  type ReadFolder,
  readArticle,
  sourceOf,
} from './read-folder.ts';

/** An article of the folder that differs from the database. Its text is read again when it is written. */
export interface ChangedArticle extends ArticleFile {
  readonly slug: string;
  readonly digest: string;
  readonly source: string;
  /**
   * `added`: not in the database; `same`: only its files changed, nothing that a page shows; `changed`: its text
   * changed.
   */
  readonly kind: 'added' | 'same' | 'changed';
}

interface StoredArticle {
  readonly slug: string;
  readonly digest: string;
  readonly source: string;
  readonly pictures: readonly string[];
}

/** The database's present articles by `key/locale`, and the owner of each address by `locale/slug`. */
export interface Before {
  readonly articles: ReadonlyMap<string, StoredArticle>;
  readonly owners: ReadonlyMap<string, string>;
}

const partSize = 5000;
const dayMs = 86_400_000;
/** Processes that try texts; each takes 80 MB and more. */
const maxRenderers = 2;
/** Texts that wait for a renderer; each is dropped after its check. */
const waitingPerRenderer = 4;
/** Texts refused for their cost, after which an import gives up: each may take a second of a core. */
const maxCostly = 5;
/** Unchanged files between two turns of the event loop: the lock's heartbeat needs it. */
const filesPerBatch = 100;

const none: readonly string[] = [];

/** Reads what an import has to know of the database, a part at a time. */
export async function readBefore(query: Kysely<Tables>): Promise<Before> {
  const articles = new Map<string, StoredArticle>();
  const owners = new Map<string, string>();
  for (let last = 0; ; ) {
    const rows = await query
      .selectFrom('articles')
      .select(['id', 'key', 'locale', 'slug', 'digest', 'source', 'cover', 'pictures'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(partSize)
      .execute();
    for (const { key, locale, slug, digest, source, cover, pictures } of rows) {
      const names =
        cover === null && pictures === '{}'
          ? none
          : pictureNames(
              cover === null ? null : (JSON.parse(cover) as Picture),
              JSON.parse(pictures) as Record<string, Picture>,
            );
      articles.set(`${key}/${locale}`, { slug, digest, source, pictures: names });
      owners.set(`${locale}/${slug}`, key);
    }
    if (rows.length < partSize) return { articles, owners };
    last = rows.at(-1)?.id ?? last;
  }
}

/** Tries whether a text can be made. */
interface TextCheck {
  readonly atOnce: number;
  /** @returns why it cannot; null when it can */
  check(body: string, locale: string): Promise<TextRefused | null>;
  close(): Promise<void>;
}

const unchecked: TextCheck = { atOnce: 1, check: async () => null, close: async () => {} };

function createTextCheck(): TextCheck {
  const renderers = Array.from({ length: Math.min(maxRenderers, availableParallelism()) }, () =>
    createBoundedRenderer(),
  );
  let next = 0;
  return {
    atOnce: renderers.length * waitingPerRenderer,
    async check(body, locale) {
      const rules = {
        locale,
        origin: 'https://site.example',
        partnerDomains: [],
        pictures: {},
        labels: { notes: '', backToText: '' },
      };
      next = (next + 1) % renderers.length;
      try {
        await renderers[next]?.render(body, rules);
        return null;
      } catch (error) {
        if (!(error instanceof TextRefused)) throw error;
        return error;
      }
    },
    async close() {
      await Promise.all(renderers.map((renderer) => renderer.close()));
    },
  };
}

interface CheckOptions {
  readonly now: number;
  /** False for texts that are known to be good. */
  readonly tryTexts: boolean;
  readonly onProgress: (done: number, all: number) => void;
}

/** Reads and checks all changed articles; skips unchanged ones. Errors are recorded in the reader's problems. */
export async function checkArticles(
  query: Kysely<Tables>,
  found: ReadFolder,
  before: Before,
  reader: FolderReader,
  { now, tryTexts, onProgress }: CheckOptions,
): Promise<ChangedArticle[]> {
  const stored = await query.selectFrom('categories').select(['uid', 'slug']).execute();
  const categories = new Set([
    ...[...stored, ...found.categories].flatMap(({ uid, slug }) => [uid, slug]),
    ...found.wrongCategories,
  ]);
  const storedAuthors = await query.selectFrom('authors').select('id').execute();
  const authors = new Set([...storedAuthors, ...found.authors].map(({ id }) => id));
  for (const { slug, uid } of stored)
    for (const one of found.categories)
      if (one.slug === slug && one.uid !== uid)
        reader.refuse('categories', 0, `the slug "${slug}" belongs to the category ${uid}`);

  const changed: ChangedArticle[] = [];
  /** Addresses after the import, and the lines where those that changed are named. */
  const here = new Map<string, { readonly slug: string; readonly line: number }>();
  const texts = tryTexts ? createTextCheck() : unchecked;
  const running = new Set<Promise<void>>();
  let costly = 0;

  async function check(place: ArticleFile, bytes: Uint8Array): Promise<void> {
    const { key, locale, folder, file } = place;
    const read = await readArticle(place, reader);
    if (read === null) return;
    const { fields, body, lineOf, article } = read;
    const { slug = key, category, author, published = 0 } = fields;
    if (category !== undefined && !categories.has(category))
      reader.refuse(file, lineOf('category'), `category: there is no category "${category}"`);
    if (author !== undefined && !authors.has(author))
      reader.refuse(file, lineOf('author'), `author: there is no author "${author}"`);
    // An article is shown from its import on; a day's grace is for dates without a time zone.
    if (published > now + dayMs) reader.refuse(file, lineOf('published'), 'published: lies in the future');
    here.set(`${key}/${locale}`, { slug, line: lineOf('slug') });
    if (article !== null) {
      const { digest } = article;
      const source = sourceOf(bytes, folder, pictureNames(article.cover, article.pictures));
      const old = before.articles.get(`${key}/${locale}`);
      const kind = old === undefined ? 'added' : old.digest === digest ? 'same' : 'changed';
      changed.push({ ...place, slug, digest, source, kind });
    }
    const wrong = await texts.check(body, locale);
    if (wrong === null) return;
    reader.refuse(file, 0, `the text ${wrong.message}`);
    if (wrong.isCostly && ++costly === maxCostly) {
      reader.refuse('articles', 0, `${maxCostly} texts cost too much: the rest was not checked`);
      throw new ImportRefused([...reader.problems]);
    }
  }

  try {
    for (const [at, place] of found.articles.entries()) {
      const { key, locale, folder, file } = place;
      const bytes = reader.bytes(file);
      const old = before.articles.get(`${key}/${locale}`);
      if (bytes !== null && old?.source === sourceOf(bytes, folder, old?.pictures ?? none)) {
        here.set(`${key}/${locale}`, { slug: old.slug, line: 0 });
        if (reader.names.isTaken(old.slug))
          reader.refuse(file, 0, `"/${old.slug}" is another page’s address already`);
      } else if (bytes !== null) {
        // One that fails stays, for whoever waits next.
        const task: Promise<void> = check(place, bytes).then(() => void running.delete(task));
        running.add(task);
        // The rejection reaches the caller that awaits all tasks.
        task.catch(() => {});
        if (running.size >= texts.atOnce) await Promise.race(running);
      }
      if (at % filesPerBatch === 0) await yieldToEventLoop();
      onProgress(at + 1, found.articles.length);
    }
    await Promise.all(running);
  } finally {
    await texts.close();
  }
  checkAddresses(found.articles, here, before, reader);
  return changed;
}

/** Finds errors that only all files and the database together show. */
function checkAddresses(
  articles: readonly ArticleFile[],
  here: ReadonlyMap<string, { readonly slug: string; readonly line: number }>,
  { owners }: Before,
  reader: FolderReader,
): void {
  const taken = new Map<string, string>();
  for (const { key, locale, file } of articles) {
    const one = here.get(`${key}/${locale}`);
    if (one === undefined) continue;
    const { slug, line } = one;
    const address = `${locale}/${slug}`;
    const other = taken.get(address);
    if (other !== undefined) reader.refuse(file, line, `"/${slug}" is the address of ${other} already`);
    taken.set(address, file);
    const owner = owners.get(address);
    const moves = owner !== undefined && (here.get(`${owner}/${locale}`)?.slug ?? slug) !== slug;
    if (owner !== undefined && owner !== key && !moves)
      reader.refuse(file, line, `"/${slug}" is the address of the article ${owner} already`);
  }
}

/** Reads an article again, to write it. @throws Error when it has changed since its check */
export async function readAgain(
  { digest, ...place }: ChangedArticle,
  reader: FolderReader,
): Promise<ReadArticle> {
  const article = (await readArticle(place, reader))?.article;
  if (article?.digest === digest) return article;
  throw new Error(`${place.file} was changed during the import: import again.`);
}
