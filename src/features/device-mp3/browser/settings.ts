import type {} from '../../../site/visitors/settings.ts';

declare module '../../../site/visitors/settings.ts' {
  interface FeatureSettings {
    /** This browser may encode mp3s. */
    readonly deviceMp3?: {
      /** Conversions before the visitor's own from which on it does; 0 for always. */
      readonly ahead: number;
    };
  }
}
