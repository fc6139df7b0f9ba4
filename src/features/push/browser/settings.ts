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
  /** In the page's language. */
  readonly texts: Readonly<Record<(typeof textNames)[number], string>>;
}

/** The texts about notifications, by their names in the catalogue; `name` is that of the switch and the card. */
export const textNames = ['name', 'offer', 'text', 'yes', 'no', 'done', 'blocked', 'failed'] as const;

declare module '../../../site/visitors/settings.ts' {
  interface FeatureSettings {
    /** Visitors can have notifications. */
    readonly push?: PushSettings;
  }
}
