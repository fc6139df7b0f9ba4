import type { Logger } from 'pino';
import { loadMessages } from '../../i18n/catalogue.ts';
import { startPoller } from '../../process/poller.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { Assembled, FeatureContext } from '../../web/feature.ts';
import { type DesktopAppData, desktopAppData } from './app-dialog/desktop-app-data.ts';
import { referencedPictures } from './configuration/ad-pictures.ts';
import type { AdRule } from './configuration/ads.ts';
import type { CardRule } from './configuration/cards.ts';
import type { PromotionConfiguration } from './configuration/promotion.ts';
import { type PromotedPicture, readPromotedPictures } from './pictures/promoted-pictures.ts';
import { openPromotionSwitches, shownOf } from './switches.ts';

/** The pictures of what the site promotes, by where the configuration finds them; says which have not been made. */
async function readPictures(
  { query }: Database,
  { promotion, locales }: SiteConfiguration,
  logger: Logger,
): Promise<ReadonlyMap<string, PromotedPicture>> {
  const pictures = await readPromotedPictures(query);
  const missing = referencedPictures(promotion, locales)
    .map(({ source }) => source)
    .filter((source) => !pictures.has(source));
  if (missing.length > 0)
    logger.warn({ missing }, 'ads show their texts instead of pictures: run "npm run cli -- site pictures"');
  return pictures;
}

/** Provides promotion: its pictures, the programs that pages offer, and the operator's switches. */
export async function assemblePromotion({
  database,
  configuration,
  logger,
}: FeatureContext): Promise<Assembled> {
  const switches = await openPromotionSwitches(database.query, Date.now);
  let shown = shownOf(configuration.promotion, switches);
  let hear = () => {};
  async function look(): Promise<void> {
    if (!(await switches.refresh())) return;
    shown = shownOf(configuration.promotion, switches);
    hear();
  }
  const close = startPoller(look, (error) =>
    logger.error({ err: error }, 'switches of promotions could not be read'),
  );
  return {
    parts: {
      onPromotionChange(listener) {
        hear = listener;
      },
    },
    services: {
      promotedPictures: await readPictures(database, configuration, logger),
      shownPromotion: () => shown,
    },
    toolParts: (locale, { productDialog }) =>
      productDialog === null || switches.isOff('programs')
        ? {}
        : { desktopApp: desktopAppData(productDialog, locale, loadMessages, configuration) },
    async desk() {
      const { promotionsPage } = await import('./desk/page.ts');
      return [promotionsPage({ configuration, switches, look })];
    },
    close,
  };
}

declare module '../../web/server/parts.ts' {
  interface FeatureParts {
    /** Tells when the operator has switched something off or on. One listener. */
    onPromotionChange(listener: () => void): void;
  }
}

declare module '../../web/loaders/services.ts' {
  interface FeatureServices {
    /** The pictures of what is promoted, by where the configuration finds them. */
    readonly promotedPictures: ReadonlyMap<string, PromotedPicture>;
    /** What is promoted now: what is configured, without what the operator has switched off. */
    shownPromotion(): PromotionConfiguration;
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
