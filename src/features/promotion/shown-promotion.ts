import { defineService } from '../../web/loaders/define-service.ts';
import type { PromotionConfiguration } from './configuration/promotion.ts';
import type { PromotedPicture } from './pictures/promoted-pictures.ts';

/** What the site promotes, for its pages. */
export interface ShownPromotion {
  /** The pictures, by where the configuration finds them. */
  readonly pictures: ReadonlyMap<string, PromotedPicture>;
  /** The configured promotion without what the operator has switched off. */
  now(): PromotionConfiguration;
}

export const shownPromotion = defineService<ShownPromotion>('promotion');
