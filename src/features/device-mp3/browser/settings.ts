import type {} from '../../../web/visitors/settings.ts';

declare module '../../../web/visitors/settings.ts' {
  interface FeatureSettings {
    /** This browser may encode mp3s. */
    readonly deviceMp3?: {
      /** Conversions before the visitor's own from which on it does; 0 for always. */
      readonly ahead: number;
    };
  }
}
