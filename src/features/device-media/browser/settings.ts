import type {} from '../../../site/visitors/settings.ts';

declare module '../../../site/visitors/settings.ts' {
  interface FeatureSettings {
    readonly deviceMedia?: {
      /** Conversions before the visitor's own from which on this browser encodes an mp3; 0 for always, absent for never. */
      readonly mp3Ahead?: number;
      /** This browser may make videos of slideshows. */
      readonly slideshow: boolean;
      /** This browser may make other videos of a video. */
      readonly video: boolean;
    };
  }
}
