import type { Logger } from 'pino';
import type { Database } from '../../stores/contracts/database.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import { wantedPictures } from './configuration/ad-pictures.ts';
import { type PromotedPicture, readPromotedPictures } from './pictures/promoted-pictures.ts';

/** The pictures of what the site promotes, by where the configuration finds them; says which have not been made. */
export async function assemblePromotedPictures(
  { query }: Database,
  { promotion, locales }: SiteConfiguration,
  logger: Logger,
): Promise<ReadonlyMap<string, PromotedPicture>> {
  const pictures = await readPromotedPictures(query);
  const missing = wantedPictures(promotion, locales)
    .map(({ source }) => source)
    .filter((source) => !pictures.has(source));
  if (missing.length > 0)
    logger.warn({ missing }, 'ads show their texts instead of pictures: run "npm run cli -- site pictures"');
  return pictures;
}
