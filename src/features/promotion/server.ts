import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import { startPoller } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { promotionOf } from './configuration/promotion.ts';
import type { Place } from './item.ts';
import { pageCards, shownPromotion } from './items/page-items.ts';
import { readPromotedPictures, referencedPictures } from './pictures/promoted-pictures.ts';
import { openPromotionSwitch } from './switch.ts';

const cardsQuery = z.object({ path: z.string().startsWith('/').max(500) });

/** Opens promotion: its pictures, the programs that pages offer, and the operator's switch. */
export default async function openPromotion(core: Core): Promise<FeatureServer> {
  const { database, configuration, logger } = core;
  const promotion = promotionOf(configuration);
  const pictures = await readPromotedPictures(database.query);
  const missing = referencedPictures(promotion.items, configuration.locales)
    .map(({ source }) => source)
    .filter((source) => !pictures.has(source));
  if (missing.length > 0)
    logger.warn({ missing }, 'ads show their texts instead of pictures: run "npm run cli -- site pictures"');
  const power = await openPromotionSwitch(database.query, Date.now);
  const none: typeof promotion = { ...promotion, items: [], share_config: null };
  const now = () => (power.isOn() ? promotion : none);
  let dropPages: () => Promise<unknown> = () => Promise.resolve();
  async function look(): Promise<void> {
    if (!(await power.refresh())) return;
    dropPages().catch((error: unknown) => logger.error({ err: error }, 'pages could not be dropped'));
  }
  const close = startPoller(look, (error) =>
    logger.error({ err: error }, 'the switch of promotions could not be read'),
  );
  return {
    routes(app, { pageCache, limits, content, examples }) {
      dropPages = () => pageCache.operations.reset();
      if (!promotion.items.some(({ place }) => place === 'card')) return;
      // The cards at the side of a page, requested by its browser when needed.
      app.get('/api/cards', async (request, reply) => {
        await limits.lists(request.visitor);
        const { data, error } = cardsQuery.safeParse(request.query);
        if (data === undefined)
          throw new Failure('request_invalid', { cause: error, note: '"path" is no path' });
        const services = {
          ...{ content, pictures, messages: loadMessages, configuration, promotion: now() },
          isDeadExample: (url: string) => examples.isDead(url),
        };
        // They are the same for all visitors; articles that they link to may change.
        reply.header('cache-control', 'public, max-age=60');
        return { code: 200, data: await pageCards(services, data.path) };
      });
    },
    services: shownPromotion.provide({ pictures, now, isOn: power.isOn }),
    state() {
      const shown = now();
      const given = (wanted: Place) =>
        shown.items.filter(({ place }) => place === wanted).map((item) => item.given);
      return {
        adInfo: given('side'),
        adMobileInfo: given('bottom'),
        recommendRightAd: given('card'),
        hideKSAd: shown.hideKSAd,
      };
    },
    async desk() {
      const { promotionsPage } = await import('./desk/page.ts');
      return [promotionsPage(power, look)];
    },
    close,
  };
}
