import type { ConsentCategory, ConsentMode } from '../consent/consent-cookie.ts';
import type { Experiment } from './experiment.ts';

/**
 * The settings of the visitors' browser parts: the same for all visitors, sent with the layout's data only when
 * something is configured.
 */
export interface VisitorSettings extends ServerSettings {
  readonly consent: ConsentMode;
  /** The consent categories to ask for; an empty list asks nobody. */
  readonly asksFor: readonly ConsentCategory[];
  /** The running A/B tests. */
  readonly experiments?: readonly Experiment[];
  /** Where consenting visitors are counted. */
  readonly statistics?: {
    /** Base address of reports, without a trailing slash; empty for this site. */
    readonly base: string;
    readonly partners: readonly string[];
    /** Ids of the programs that links offer: for Windows, and for Mac. */
    readonly appIds: readonly string[];
  };
  /** The tag script of the page's language. */
  readonly tag?: { readonly host: string; readonly id: string };
}

/** For a site without any such configuration. */
export const noSettings: VisitorSettings = { consent: 'off', asksFor: [] };

/** The environment's settings: a field for each part that it enables. */
export interface ServerSettings extends FeatureSettings {
  /** Path of the site's service worker. */
  readonly serviceWorker?: string;
  /** Set when some data is collected without consent. */
  readonly learnsUnasked?: boolean;
}

/** The features' additions to the settings. Each declares its own. @public */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureSettings {}
