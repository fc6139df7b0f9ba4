/** The worker's settings, which the server writes before its script. */
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

/** A notification as it is shown. */
export interface ShownMessage {
  readonly title: string;
  readonly body: string;
  /** On this site. */
  readonly url: string;
  readonly tag: string;
  /** The texts' language; empty when unknown. */
  readonly language: string;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/**
 * Parses a push message; null when it is none of ours.
 * @param origin of this site: a notification never leads anywhere else
 */
export function readMessage(text: string | undefined, origin: string): ShownMessage | null {
  const value = parse(text ?? '');
  if (value === null) return null;
  const { title, body, url, tag, language } = value;
  if (typeof title !== 'string' || title === '') return null;
  const words = (one: unknown) => (typeof one === 'string' ? one : '');
  const target = URL.canParse(words(url), origin) ? new URL(words(url), origin) : null;
  return {
    title,
    body: words(body),
    url: target?.origin === origin ? target.href : `${origin}/`,
    tag: words(tag),
    language: words(language),
  };
}
