import type {} from '../../../web/visitors/settings.ts';

declare module '../../../web/visitors/settings.ts' {
  interface FeatureSettings {
    /** This browser may make videos of slideshows. */
    readonly deviceSlideshow?: boolean;
  }
}
