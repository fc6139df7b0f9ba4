import type { FeatureServer } from '../../web/feature.ts';
import { cardsEndpoint } from './endpoints.ts';
import { assemblePromotion } from './part.ts';

export default {
  assemble: assemblePromotion,
  endpoints(app, parts) {
    const { pageCache, logger } = parts;
    parts.onPromotionChange(() => {
      pageCache.operations
        .reset()
        .catch((error: unknown) => logger.error({ err: error }, 'pages could not be dropped'));
    });
    cardsEndpoint(app, parts);
  },
  state({ featureServices }) {
    const { ads, cards } = featureServices.shownPromotion();
    return {
      adInfo: ads.side,
      adMobileInfo: ads.bottom,
      recommendRightAd: cards,
      hideKSAd: ads.isOffForVideos,
    };
  },
} satisfies FeatureServer;
