/** The settings that the server prepends to the worker's script. */
export interface PushWorkerSettings {
  /** VAPID public key, base64url. */
  readonly publicKey: string;
  readonly appId: string;
  /** Address of the server that stores the subscriptions, without a trailing slash; null for this one. */
  readonly server: string | null;
  /** The site's languages by the primary language of a tag ("de", "fil"). */
  readonly languages: Readonly<Record<string, string>>;
  readonly defaultLocale: string;
}
