import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { setPublished } from '../../../content/writing/manage-content.ts';
import { isLocale, languages } from '../../../i18n/languages.ts';
import { type Action, type ActionOutcome, type DeskPage, Refused } from '../../../server/desk/desk-page.ts';
import { linkTo } from '../../../site/addressing/addresses.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import { pageColumns } from '../../../stores/contracts/tables/article-table.ts';
import { namesOf, readRow } from '../../../stores/contracts/tables/columns.ts';
import type { DeskTools } from '../desk-tools.ts';
import { createUploads, type Uploaded } from './import/imports.ts';

const pageSize = 25;
const maxMb = 50;

const publishForm = z.object({
  key: z.string().min(1).max(200),
  /** Empty for all languages. */
  locale: z.string().max(20),
});

/** An upload's outcome, in one sentence. */
function sentenceOf({ result, dryRun }: Uploaded): string {
  if (result === null) return 'It still runs here. Look at this page again for its result.';
  if (result.kind === 'failed') return `It failed: ${result.text}`;
  if (result.kind === 'refused')
    return `Nothing was changed. Mistakes: ${result.problems.length + result.more}, listed below.`;
  const { added, changed, unchanged } = result.report.articles;
  const what = `${added} new, ${changed} changed and ${unchanged} unchanged`;
  return dryRun ? `All is well: ${what} articles. Nothing was changed yet.` : `Imported: ${what} articles.`;
}

const outcomeOf = (uploaded: Uploaded): ActionOutcome => ({
  outcome: uploaded.result?.kind === 'refused' || uploaded.result?.kind === 'failed' ? 'failed' : 'done',
  object: uploaded.dryRun ? 'check of an archive' : 'archive',
  text: sentenceOf(uploaded),
  shown: uploaded,
});

/**
 * Articles: those that there are with all their languages, previews, published or not, and the import of an archive.
 */
export function articlesPage({ parts, core, log }: DeskTools) {
  const { configuration, contentRenderer, logger, stopping } = parts;
  const { database, redis, environment } = core;
  const { query } = database;
  const folder = join(environment.DATA_DIR, 'desk-uploads');
  const uploads = createUploads({
    ...{ folder, configuration, stopping },
    onLate: (end) =>
      void logEnd(end).catch((error: unknown) =>
        logger.error({ err: error }, 'the end of an import is not in the audit log'),
      ),
    onKept: (error) => logger.error({ err: error }, 'an earlier upload could not be deleted'),
  });

  /** In an entry of its own: the action has ended, and its entry says that the import still runs. */
  async function logEnd(end: Promise<Uploaded>): Promise<void> {
    const entry = { what: 'articles end-import', operator: '', block: '', object: '', text: '' };
    const id = await log.add({ ...entry, outcome: 'begun' });
    await log.end(id, outcomeOf(await end));
  }

  const bring: Action = async ({ form, file }) => {
    if (file === null) throw new Refused('Choose a zip.');
    if (uploads.isRunning()) throw new Refused('An import is running here. Wait for its end.');
    const dryRun = form.get('how') !== 'import';
    return outcomeOf(await uploads.take(file, { dryRun, unpublished: form.has('unpublished') }));
  };

  const changePublished =
    (isPublished: boolean): Action =>
    async ({ form }) => {
      const { key, locale } = publishForm.parse(Object.fromEntries(form));
      const { changed } = await setPublished(database, {
        ...{ keys: [key], locale: locale === '' ? null : locale, isPublished },
        now: Date.now(),
      });
      if (redis !== null && !redis.isAway)
        await redis
          .announce('content')
          .catch((error: unknown) =>
            logger.warn({ err: error }, 'instances hear of the change a second later'),
          );
      const where = changed.map((one) => one.locale).join(', ');
      const object = `article ${key}${where === '' ? '' : ` (${where})`}`;
      if (changed.length === 0) return { outcome: 'failed', object, text: 'It was so already.' };
      const state = isPublished ? 'published' : 'unpublished';
      return {
        ...{ outcome: 'done', object },
        text: `${key} is ${state} (${where}), on all instances within a second or two.`,
      };
    };

  const withNames = ({ key, languages: found }: ListedArticle) => ({
    key,
    languages: found.map((one) => ({
      ...one,
      name: isLocale(one.locale) ? languages[one.locale].name : one.locale,
    })),
    missing: configuration.locales.filter((locale) => !found.some((one) => one.locale === locale)),
  });

  async function loadList(asked: URLSearchParams) {
    const isUnpublished = asked.get('show') === 'unpublished';
    // An address is an article's as well: its last part.
    const find = (asked.get('find') ?? '').trim().slice(0, 500).split('/').findLast(Boolean) ?? '';
    const after = (asked.get('after') ?? '').slice(0, 200);
    const wanted = { find, isUnpublished, after, locales: configuration.locales };
    const articles = await listArticles(query, wanted);
    return {
      kind: 'list' as const,
      ...{ articles: articles.map(withNames), find, isUnpublished, maxMb },
      isFirst: after === '',
      next: articles.length < pageSize ? null : (articles.at(-1)?.key ?? null),
      last: uploads.last(),
    };
  }

  async function loadPreview(key: string, locale: string) {
    const found = await readArticle(query, key, locale);
    if (found === null || !isLocale(locale)) return null;
    const { article, unpublishedAt } = found;
    const { nodes } = await contentRenderer.article(article);
    const { title, description, cover, publishedAt, updatedAt } = article;
    const { lang, direction } = languages[locale];
    return {
      kind: 'preview' as const,
      ...{ key, locale, title, description, cover, publishedAt, updatedAt, unpublishedAt, nodes },
      ...{ lang, direction, href: linkTo(configuration, locale, article.slug) },
    };
  }

  return {
    name: 'articles',
    section: 'Do',
    title: 'Articles',
    hasParts: true,
    upload: { folder, maxBytes: maxMb * 2 ** 20 },
    async load({ parts: [key, locale, ...rest], query: asked }) {
      if (rest.length > 0) return null;
      if (key === undefined) return loadList(asked);
      return loadPreview(key, locale ?? '');
    },
    actions: {
      bring,
      publish: changePublished(true),
      unpublish: changePublished(false),
    },
  } satisfies DeskPage;
}

export type ArticlesData = NonNullable<Awaited<ReturnType<ReturnType<typeof articlesPage>['load']>>>;

/** An article with all its languages. */
type ListedArticle = Awaited<ReturnType<typeof listArticles>>[number];

/** Which articles are listed. */
interface Wanted {
  /** The beginning of a key, or an article's address; empty for all. */
  readonly find: string;
  readonly isUnpublished: boolean;
  /** The key that a page begins after; empty for the first page. */
  readonly after: string;
  /** The site's languages; an address is looked for in each. */
  readonly locales: readonly string[];
}

/** Keys in their order. */
async function readKeys(query: Kysely<Tables>, wanted: Wanted): Promise<string[]> {
  const { find, isUnpublished, after, locales } = wanted;
  let rows = query.selectFrom('articles').select('key').distinct().where('key', '>', after);
  if (isUnpublished) rows = rows.where('unpublished_at', 'is not', null);
  if (find !== '')
    rows = rows.where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'key',
          'in',
          selectFrom('articles').select('key').where('locale', 'in', locales).where('slug', '=', find),
        ),
        // Nothing else is part of a key, and no order of letters comes into it: databases have several.
        ...(/^[a-z0-9-]+$/.test(find) ? [eb('key', 'like', `${find}%`)] : []),
      ]),
    );
  const found = await rows.orderBy('key').limit(pageSize).execute();
  return found.map(({ key }) => key);
}

/** A part of all articles, each with its languages in the order of their names. */
async function listArticles(query: Kysely<Tables>, wanted: Wanted) {
  const keys = await readKeys(query, wanted);
  if (keys.length === 0) return [];
  const rows = await query
    .selectFrom('articles')
    .select(['key', 'locale', 'title'])
    .select(['updated_at as updatedAt', 'unpublished_at as unpublishedAt'])
    .where('key', 'in', keys)
    .orderBy('key')
    .orderBy('locale')
    .execute();
  return [...Map.groupBy(rows, ({ key }) => key)].map(([key, languages]) => ({ key, languages }));
}

/** An article in one language, whether it is shown or not; null when there is none. */
async function readArticle(query: Kysely<Tables>, key: string, locale: string) {
  const row = await query
    .selectFrom('articles')
    .select(namesOf(pageColumns))
    .select('unpublished_at')
    .where('key', '=', key)
    .where('locale', '=', locale)
    .executeTakeFirst();
  return row === undefined ? null : { article: readRow(pageColumns, row), unpublishedAt: row.unpublished_at };
}
