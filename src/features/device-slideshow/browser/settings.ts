import type {} from '../../../site/visitors/settings.ts';

declare module '../../../site/visitors/settings.ts' {
  interface FeatureSettings {
    /** This browser may make videos of slideshows. */
    readonly deviceSlideshow?: boolean;
  }
}
