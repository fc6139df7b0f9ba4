import type { ConsentCategory, ConsentMode } from '../consent/consent-cookie.ts';
import type { Experiment } from './experiment.ts';

/**
 * What the browser's part of the visitors' matters has to know: the same for everybody, sent with the layout's data
 * only where something is configured.
 */
export interface VisitorSettings extends ServerSettings {
  readonly consent: ConsentMode;
  /** What visitors are asked for; nobody is asked where this is empty. */
  readonly asksFor: readonly ConsentCategory[];
  /** Those that may run. */
  readonly experiments?: readonly Experiment[];
  /** Where visitors who agree are counted. */
  readonly statistics?: {
    /** Where reports go, without a last slash; empty for this site. */
    readonly base: string;
    readonly partners: readonly string[];
    /** Of the programs that links offer: for Windows, and for Mac. */
    readonly appIds: readonly string[];
  };
  /** The tag script of the page's language. */
  readonly tag?: { readonly host: string; readonly id: string };
}

/** Where nothing is configured. */
export const noSettings: VisitorSettings = { consent: 'off', asksFor: [] };

/** What the server knows besides the configuration: a field for each part that the environment turns on. */
export interface ServerSettings extends FeatureSettings {
  /** Path of the site's service worker. */
  readonly serviceWorker?: string;
  /** Little is learnt of visitors without asking them, but not nothing. */
  readonly learnsUnasked?: boolean;
}

/** What features add to the settings. Each declares its own. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureSettings {}
