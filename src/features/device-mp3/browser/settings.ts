/** When this browser encodes mp3s. */
interface DeviceMp3Settings {
  /** Conversions before the visitor's own from which on it does; 0 for always. */
  readonly ahead: number;
}

declare module '../../../web/visitors/settings.ts' {
  interface FeatureSettings {
    /** Mp3s may be encoded in browsers. */
    readonly deviceMp3?: DeviceMp3Settings;
  }
}
