import type { Logger } from 'pino';
import { loadMessages } from '../../i18n/catalogue.ts';
import { startPoller } from '../../process/poller.ts';
import type { Database } from '../../stores/contracts/database.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { Core, FeatureServer } from '../../web/feature.ts';
import { desktopAppData } from './app-dialog/desktop-app-data.ts';
import { referencedPictures } from './configuration/ad-pictures.ts';
import { cardsEndpoint } from './endpoints.ts';
import { type PromotedPicture, readPromotedPictures } from './pictures/promoted-pictures.ts';
import { type ShownPromotion, shownPromotion } from './shown-promotion.ts';
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

/** Opens promotion: its pictures, the programs that pages offer, and the operator's switches. */
export default async function openPromotion({
  database,
  configuration,
  logger,
}: Core): Promise<FeatureServer> {
  const switches = await openPromotionSwitches(database.query, Date.now);
  let shown = shownOf(configuration.promotion, switches);
  const service: ShownPromotion = {
    pictures: await readPictures(database, configuration, logger),
    now: () => shown,
  };
  let dropPages = () => {};
  async function look(): Promise<void> {
    if (!(await switches.refresh())) return;
    shown = shownOf(configuration.promotion, switches);
    dropPages();
  }
  const close = startPoller(look, (error) =>
    logger.error({ err: error }, 'switches of promotions could not be read'),
  );
  return {
    routes(app, parts) {
      dropPages = () => {
        parts.pageCache.operations
          .reset()
          .catch((error: unknown) => logger.error({ err: error }, 'pages could not be dropped'));
      };
      cardsEndpoint(app, service, parts);
    },
    services: shownPromotion.provide(service),
    toolParts: (locale, { productDialog }) =>
      productDialog === null || switches.isOff('programs')
        ? {}
        : { desktopApp: desktopAppData(productDialog, locale, loadMessages, configuration) },
    state() {
      const { ads, cards } = shown;
      return {
        adInfo: ads.side,
        adMobileInfo: ads.bottom,
        recommendRightAd: cards,
        hideKSAd: ads.isOffForVideos,
      };
    },
    async desk() {
      const { promotionsPage } = await import('./desk/page.ts');
      return [promotionsPage({ configuration, switches, look })];
    },
    close,
  };
}
