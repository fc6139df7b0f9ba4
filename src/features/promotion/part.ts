import type { Logger } from 'pino';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { Assembled, FeatureContext } from '../../web/feature.ts';
import { type DesktopAppData, desktopAppData } from './app-dialog/desktop-app-data.ts';
import { wantedPictures } from './configuration/ad-pictures.ts';
import type { AdRule } from './configuration/ads.ts';
import type { CardRule } from './configuration/cards.ts';
import { type PromotedPicture, readPromotedPictures } from './pictures/promoted-pictures.ts';

/** The pictures of what the site promotes, by where the configuration finds them; says which have not been made. */
async function readPictures(
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

/** Provides promotion: its pictures, and the programs that pages offer. */
export async function assemblePromotion({
  database,
  configuration,
  logger,
}: FeatureContext): Promise<Assembled> {
  return {
    services: { promotedPictures: await readPictures(database, configuration, logger) },
    toolParts: (locale, { productDialog }) =>
      productDialog === null
        ? {}
        : { desktopApp: desktopAppData(productDialog, locale, loadMessages, configuration) },
  };
}

declare module '../../web/loaders/services.ts' {
  interface FeatureServices {
    /** The pictures of what is promoted, by where the configuration finds them. */
    readonly promotedPictures: ReadonlyMap<string, PromotedPicture>;
  }
  interface ToolPartData {
    readonly desktopApp: DesktopAppData;
  }
}

declare module '../../web/state/site-state.ts' {
  interface FeatureState {
    /** Promotion, as far as it is configured. */
    readonly adInfo?: readonly AdRule[];
    readonly adMobileInfo?: readonly AdRule[];
    readonly recommendRightAd?: readonly CardRule[];
    readonly hideKSAd?: boolean;
  }
}
