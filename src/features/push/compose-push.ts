import { LRUCache } from 'lru-cache';
import webPush from 'web-push';
import type { PushMessage, Subscriber } from './contracts.ts';

/** The site's name towards push services (RFC 8292). */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
  /** Whom a push service may write to: `mailto:` or `https:`. */
  readonly subject: string;
}

/** A message as a push service takes it (RFC 8030). */
export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A device that is off hears of it for a day. */
const lifeS = 86_400;
/** Signatures hold for twelve hours; making one costs more than encrypting a message. */
const signatureLifeMs = 3_600_000;
/** Push services have a few hosts each. */
const mostSignatures = 50;

/** Names a message: what has the same name takes the place of what is shown, or still waits at the push service. */
const tagOf = ({ id }: Pick<PushMessage, 'id'>): string => `message-${id}`;

/** What the service worker reads: `src/features/push/worker/`. */
const payloadOf = (message: PushMessage) =>
  JSON.stringify({
    title: message.title,
    body: message.body,
    url: message.url,
    tag: tagOf(message),
    language: message.language ?? '',
  });

/**
 * Makes what encrypts messages for their devices (RFC 8291) and signs them.
 * @param now milliseconds since 1970
 */
export function createPushComposer({ publicKey, privateKey, subject }: VapidKeys, now: () => number) {
  const signatures = new LRUCache<string, { readonly value: string; readonly until: number }>({
    max: mostSignatures,
  });

  function signature(audience: string): string {
    const known = signatures.get(audience);
    if (known !== undefined && known.until > now()) return known.value;
    const value = webPush.getVapidHeaders(
      audience,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
    ).Authorization;
    signatures.set(audience, { value, until: now() + signatureLifeMs });
    return value;
  }

  /** @throws Error for a subscriber or a message of which no request can be made */
  return function compose({ endpoint, auth, pdhkey }: Subscriber, message: PushMessage): PushRequest {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { auth, p256dh: pdhkey } },
      payloadOf(message),
      { TTL: lifeS, topic: tagOf(message) },
    );
    const all = { ...headers, Authorization: signature(new URL(endpoint).origin) };
    return {
      endpoint,
      headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)])),
      body,
    };
  };
}
