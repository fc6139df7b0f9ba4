import type { MonitoringRates } from '../../features/monitoring/configuration.ts';
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

/** What a browser needs to subscribe to notifications. */
export interface PushSettings {
  /** VAPID public key, base64url. */
  readonly publicKey: string;
  readonly appId: string;
  readonly prompt: 'asked' | 'immediate';
  /** Path of the service worker that shows them. */
  readonly worker: string;
  /** Address of the server that keeps the subscriptions, without a last slash; null for this one. */
  readonly server: string | null;
  readonly texts: PushTexts;
}

/** What is said of notifications, in the page's language. */
export interface PushTexts {
  /** Of the switch and the card. */
  readonly name: string;
  readonly offer: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly done: string;
  readonly blocked: string;
  readonly failed: string;
}

/** What the server knows besides the configuration: a field for each part that the environment turns on. */
export interface ServerSettings {
  /** Errors are reported. */
  readonly monitoring?: { readonly rates: MonitoringRates };
  /** Visitors can have notifications. */
  readonly push?: PushSettings;
  /** Path of the site's service worker. */
  readonly serviceWorker?: string;
}
