import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { ImportRefused } from '../../../content/files/problems.ts';
import { exportContent } from '../../../content/import/export-content.ts';
import { importContent } from '../../../content/import/import-content.ts';
import type { ContentPart } from '../../../content/import/read-folder.ts';
import {
  deleteArticlesByKey,
  deleteAuthor,
  deleteCategory,
  setPublished,
} from '../../../content/writing/manage-content.ts';
import { fromCaller } from '../../../server/commands/declaration.ts';
import { createProgress, printError, printJson, printText } from '../../../server/commands/print.ts';
import { withDatabase, withPictures } from '../../../server/commands/stores.ts';
import { reservedSlugs } from '../../../server/instance/reserved-slugs.ts';
import type { Database } from '../../../stores/contracts/database.ts';
import { readSiteConfiguration } from '../../parts/read-site-configuration.ts';
import { listArticles, listAuthors, listCategories, listUnpublished } from './content-lists.ts';

/** The stores that each command reads and writes. */
const partsOf = {
  posts: ['categories', 'authors', 'articles'],
  categories: ['categories'],
  authors: ['authors'],
} as const satisfies Record<string, readonly ContentPart[]>;

interface Transfer {
  readonly folder: string;
  readonly json: boolean;
}

interface ImportGiven extends Transfer {
  readonly dryRun: boolean;
  readonly unpublished?: boolean;
}

async function runImport(
  parts: readonly ContentPart[],
  { json, dryRun, unpublished, ...given }: ImportGiven,
): Promise<number> {
  const folder = fromCaller(given.folder);
  // A site on the same machine goes first: its visitors wait, an import does not.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return withDatabase(async (database, environment) => {
    const progress = createProgress();
    try {
      const report = await withPictures(database, environment, (pictures) =>
        importContent(database, {
          folder,
          parts,
          names: reservedSlugs(readSiteConfiguration(environment)),
          dryRun,
          ...(unpublished !== undefined && { unpublished }),
          now: Date.now(),
          pictures,
          onProgress: progress.show,
          onWait: () => printError('Another import is running; waiting for its end.'),
        }),
      );
      progress.end();
      const { added, changed, unchanged } = report.articles;
      if (json) printJson({ ...report, dryRun });
      else
        printText(
          `${dryRun ? 'Would import' : 'Imported'}: ${added} new, ${changed} changed and ${unchanged} unchanged article(s), ` +
            `${report.categories} categories, ${report.authors} authors; ${report.pictures} picture(s) made.`,
        );
      return 0;
    } catch (error) {
      progress.end();
      if (!(error instanceof ImportRefused)) throw error;
      if (json) printJson({ problems: error.problems });
      else printError(error.message);
      return 1;
    }
  }, 'content');
}

async function runExport(parts: readonly ContentPart[], { json, ...given }: Transfer): Promise<number> {
  const folder = fromCaller(given.folder);
  return withDatabase(async (database, environment) => {
    const progress = createProgress();
    const written = await withPictures(database, environment, (pictures) =>
      exportContent({ query: database.query, pictures }, folder, parts, (done) =>
        progress.show('articles', done, done),
      ),
    );
    progress.end();
    const hasArticles = parts.includes('articles');
    const unpublished = hasArticles ? await listUnpublished(database.query) : [];
    if (json) printJson({ folder: resolve(folder), ...written, ...(hasArticles && { unpublished }) });
    else {
      printText(
        `Wrote ${written.articles} article(s), ${written.categories} categories and ${written.authors} authors to ${folder}.`,
      );
      for (const { key, locale } of unpublished)
        printText(`${key} (${locale}) is unpublished here, which its file does not say.`);
    }
    return 0;
  });
}

/** Imports what a command is about from a folder. */
export const importPart = (name: keyof typeof partsOf) => (given: ImportGiven) =>
  runImport(partsOf[name], given);

/** Exports what a command is about to a folder. */
export const exportPart = (name: keyof typeof partsOf) => (given: Transfer) =>
  runExport(partsOf[name], given);

/** Prints every article. */
export const listPosts = ({ locale, json }: { locale: string | undefined; json: boolean }): Promise<number> =>
  withDatabase(({ query }) => listArticles(query, locale ?? null, json));

/** Prints every category. */
export const listCategoryNames = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(({ query }) => listCategories(query, json));

/** Prints every author. */
export const listAuthorNames = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(({ query }) => listAuthors(query, json));

interface PostsToPublish {
  readonly names: readonly string[];
  readonly locale: string | undefined;
  readonly json: boolean;
}

interface PostsToDelete extends PostsToPublish {
  readonly dryRun: boolean;
}

/** Deletes articles. @returns 1 when one of them was not there */
export const deletePosts = ({ names, locale, dryRun, json }: PostsToDelete): Promise<number> =>
  withDatabase(async (database) => {
    const wanted = { keys: names, locale: locale ?? null, dryRun, now: Date.now() };
    const deleted = await deleteArticlesByKey(database, wanted);
    const missing = names.filter((name) => !deleted.some(({ key }) => key === name));
    if (json) printJson({ deleted, missing, dryRun });
    else {
      for (const { key, locale } of deleted)
        printText(`${dryRun ? 'would delete' : 'deleted'} ${key} (${locale})`);
      for (const key of missing) printError(`There is no article ${key}.`);
    }
    return missing.length > 0 ? 1 : 0;
  }, 'content');

/** Makes what publishes articles, or takes them back. */
function changePublished(isPublished: boolean) {
  const words = isPublished ? 'published' : 'unpublished';
  return ({ names, locale, json }: PostsToPublish): Promise<number> =>
    withDatabase(async (database) => {
      const wanted = { keys: names, locale: locale ?? null, isPublished, now: Date.now() };
      const { changed, unchanged } = await setPublished(database, wanted);
      const found = new Set([...changed, ...unchanged].map(({ key }) => key));
      const missing = names.filter((name) => !found.has(name));
      if (json) printJson({ changed, unchanged, missing });
      else {
        for (const one of changed) printText(`${words} ${one.key} (${one.locale})`);
        for (const one of unchanged) printText(`${one.key} (${one.locale}) was ${words} already`);
        for (const key of missing) printError(`There is no article ${key}.`);
      }
      return missing.length > 0 ? 1 : 0;
    }, 'content');
}

/** Publishes articles. @returns 1 when one of them was not there */
export const publishPosts = changePublished(true);

/** Takes articles back. @returns 1 when one of them was not there */
export const unpublishPosts = changePublished(false);

/** Makes the deletion of categories or authors, each on its own. */
function deleteEach(remove: (database: Database, name: string, now: number) => Promise<string>) {
  return ({ names, json }: { names: readonly string[]; json: boolean }): Promise<number> =>
    withDatabase(async (database) => {
      const results: { name: string; result: string }[] = [];
      for (const name of names) results.push({ name, result: await remove(database, name, Date.now()) });
      if (json) printJson(results);
      else for (const { name, result } of results) printText(`${name}: ${result}`);
      return results.every(({ result }) => result === 'deleted') ? 0 : 1;
    }, 'content');
}

/** Deletes categories. @returns 1 when one of them was not deleted */
export const deleteCategories = deleteEach(deleteCategory);

/** Deletes authors. @returns 1 when one of them was not deleted */
export const deleteAuthors = deleteEach(deleteAuthor);
