import type { FeatureServer } from '../../web/feature.ts';
import { cardsEndpoint } from './endpoints.ts';
import { assemblePromotion } from './part.ts';

export default {
  assemble: assemblePromotion,
  endpoints: cardsEndpoint,
  state({ configuration: { promotion } }) {
    const { ads, cards } = promotion;
    return {
      adInfo: ads.side,
      adMobileInfo: ads.bottom,
      recommendRightAd: cards,
      hideKSAd: ads.isOffForVideos,
    };
  },
} satisfies FeatureServer;
