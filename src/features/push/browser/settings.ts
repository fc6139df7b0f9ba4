/** The data that a browser needs to subscribe to notifications. */
export interface PushSettings {
  /** VAPID public key, base64url. */
  readonly publicKey: string;
  readonly appId: string;
  readonly prompt: 'asked' | 'immediate';
  /** Path of the service worker that shows them. */
  readonly worker: string;
  /** Address of the server that stores the subscriptions, without a trailing slash; null for this one. */
  readonly server: string | null;
  readonly texts: PushTexts;
}

/** The texts about notifications, in the page's language. */
export interface PushTexts {
  /** Name of the switch and the card. */
  readonly name: string;
  readonly offer: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly done: string;
  readonly blocked: string;
  readonly failed: string;
}

declare module '../../../site/visitors/settings.ts' {
  interface FeatureSettings {
    /** Visitors can have notifications. */
    readonly push?: PushSettings;
  }
}
