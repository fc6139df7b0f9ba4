import type { Logger } from 'pino';
import { ImportRefused } from '../../content/files/problems.ts';
import type { SiteNames } from '../../content/import/folder-reader.ts';
import type { Database } from '../../stores/contracts/database.ts';
import { type PictureFiles, PicturesUnavailable } from '../../stores/contracts/picture-files.ts';

/** The articles, authors and categories that come with the product. */
const folder = 'content';

/** Fills an empty database with the articles that come with the product. A later start never brings back deleted ones. */
export async function importStarterContent(
  database: Database,
  names: SiteNames,
  pictures: PictureFiles,
  logger: Logger,
): Promise<void> {
  const author = await database.query.selectFrom('authors').select('id').limit(1).executeTakeFirst();
  if (author !== undefined) return;
  // Needed once in the life of a database: what reads Markdown takes 20 MB.
  const { importContent } = await import('../../content/import/import-content.ts');
  try {
    const report = await importContent(database, {
      folder,
      parts: ['categories', 'authors', 'articles'],
      names,
      dryRun: false,
      // They come with the product, and its tests make every one of them: a first start need not.
      tryTexts: false,
      now: Date.now(),
      pictures,
      onProgress: () => {},
    });
    logger.info(report, 'starter articles imported');
  } catch (error) {
    // The site works without articles: a failure here must not prevent the start.
    if (error instanceof ImportRefused)
      logger.error({ problems: error.problems }, 'the starter articles are invalid');
    else if (error instanceof PicturesUnavailable)
      logger.error({ err: error }, 'the starter articles are imported at the next start');
    else throw error;
  }
}
