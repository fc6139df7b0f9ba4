import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { exportContent } from '../../content/import/export-content.ts';
import { importContent } from '../../content/import/import-content.ts';
import { ImportRefused } from '../../content/import/problems.ts';
import type { ContentPart } from '../../content/import/read-folder.ts';
import { deleteArticlesByKey, deleteAuthor, deleteCategory } from '../../content/writing/delete-content.ts';
import type { Database } from '../../stores/contracts/database.ts';
import {
  type Command,
  printError,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
  withPictures,
} from '../../web/commands/command.ts';
import { createProgress } from '../../web/commands/progress.ts';
import { reservedSlugs } from '../parts/content/reserved-slugs.ts';
import { readSiteConfiguration } from '../parts/read-site-configuration.ts';
import { listArticles, listAuthors, listCategories } from './content-lists.ts';

const options = {
  json: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  locale: { type: 'string' },
} as const;

interface Call {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly locale: string | null;
  readonly words: readonly string[];
}

async function runImport(parts: readonly ContentPart[], { json, dryRun, words }: Call): Promise<number> {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0) throw new UsageError('name the folder to import');
  // A site on the same machine goes first: its visitors wait, an import does not.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return withDatabase(async (database, environment) => {
    const progress = createProgress();
    try {
      const report = await withPictures(database, environment, (pictures) =>
        importContent(database, {
          folder,
          parts,
          names: reservedSlugs(readSiteConfiguration(environment.SITE_CONFIG)),
          dryRun,
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

async function runExport(parts: readonly ContentPart[], { json, words }: Call): Promise<number> {
  const [folder, ...more] = words;
  if (folder === undefined || more.length > 0) throw new UsageError('name the folder to write to');
  return withDatabase(async (database, environment) => {
    const progress = createProgress();
    const written = await withPictures(database, environment, (pictures) =>
      exportContent({ query: database.query, pictures }, folder, parts, (done) =>
        progress.show('articles', done, done),
      ),
    );
    progress.end();
    if (json) printJson({ folder: resolve(folder), ...written });
    else
      printText(
        `Wrote ${written.articles} article(s), ${written.categories} categories and ${written.authors} authors to ${folder}.`,
      );
    return 0;
  });
}

async function deletePosts(database: Database, { json, dryRun, locale, words }: Call): Promise<number> {
  if (words.length === 0) throw new UsageError('name the articles to delete by their folders');
  const wanted = { keys: words, locale, now: Date.now() };
  const deleted = dryRun
    ? await database.query
        .selectFrom('articles')
        .select(['key', 'locale', 'slug'])
        .where('key', 'in', words)
        .where(({ eb, lit }) => (locale === null ? lit(true) : eb('locale', '=', locale)))
        .execute()
    : await deleteArticlesByKey(database, wanted);
  const missing = words.filter((word) => !deleted.some(({ key }) => key === word));
  if (json) printJson({ deleted, missing, dryRun });
  else {
    for (const { key, locale } of deleted)
      printText(`${dryRun ? 'would delete' : 'deleted'} ${key} (${locale})`);
    for (const key of missing) printError(`There is no article ${key}.`);
  }
  return missing.length > 0 ? 1 : 0;
}

/** Makes the deletion of categories or authors, each on its own. */
function deleteEach(remove: (database: Database, name: string, now: number) => Promise<string>) {
  return async (database: Database, { json, words }: Call): Promise<number> => {
    if (words.length === 0) throw new UsageError('name what to delete');
    const results: { name: string; result: string }[] = [];
    for (const name of words) results.push({ name, result: await remove(database, name, Date.now()) });
    if (json) printJson(results);
    else for (const { name, result } of results) printText(`${name}: ${result}`);
    return results.every(({ result }) => result === 'deleted') ? 0 : 1;
  };
}

interface Actions {
  readonly parts: readonly ContentPart[];
  list(database: Database, call: Call): Promise<number>;
  delete(database: Database, call: Call): Promise<number>;
}

function contentCommand(name: string, about: string, { parts, ...actions }: Actions): Command {
  return {
    usage: `${name} import DIR | export DIR | list | delete NAME…`,
    about,
    async run(all) {
      const { values, positionals } = readWords(all, options);
      const [verb, ...words] = positionals;
      const call: Call = {
        json: values.json,
        dryRun: values['dry-run'],
        locale: values.locale ?? null,
        words,
      };
      if (verb === 'import') return runImport(parts, call);
      if (verb === 'export') return runExport(parts, call);
      if (verb === 'list') return withDatabase((database) => actions.list(database, call));
      if (verb === 'delete') return withDatabase((database) => actions.delete(database, call), 'content');
      throw new UsageError(`${name} needs one of import, export, list, delete`);
    },
  };
}

export const posts = contentCommand('posts', 'articles, with their categories and authors', {
  parts: ['categories', 'authors', 'articles'],
  list: async ({ query }, { json, locale }) => listArticles(query, locale, json),
  delete: deletePosts,
});

export const categories = contentCommand('categories', 'categories alone', {
  parts: ['categories'],
  list: async ({ query }, { json }) => listCategories(query, json),
  delete: deleteEach(deleteCategory),
});

export const authors = contentCommand('authors', 'authors alone', {
  parts: ['authors'],
  list: async ({ query }, { json }) => listAuthors(query, json),
  delete: deleteEach(deleteAuthor),
});
