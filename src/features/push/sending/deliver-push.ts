import { type Dispatcher, request } from 'undici';
import webPush from 'web-push';
import type { PushMessage, Subscriber } from '../contracts.ts';

/** The site's name towards push services (RFC 8292). */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
  /** Whom a push service may write to: `mailto:` or `https:`. */
  readonly subject: string;
}

/**
 * Sends one message to one device.
 * @returns the status of the push service's response; null when there was none in time
 * @throws Error when the message cannot be encrypted for the device
 */
export type Deliver = (subscriber: Subscriber, message: PushMessage) => Promise<number | null>;

/** How long a push service keeps a message for a device that is off. */
const lifeS = 86_400;
/** Only the status of a response is used, but its connection is used again only when its body was read. */
const maxResponseBytes = 64 * 1024;

/** Names a message: a second copy replaces the first, on the device and at the push service. */
const tagOf = ({ id }: PushMessage): string => `message-${id}`;

/** What the service worker reads: `worker/message.ts`. */
const payloadOf = (message: PushMessage) =>
  JSON.stringify({
    title: message.title,
    body: message.body,
    url: message.url,
    tag: tagOf(message),
    language: message.language ?? '',
  });

/** Sends messages as RFC 8030, section 5 describes it, over the connections of `dispatcher`. */
export function createPushDelivery(
  vapidDetails: VapidKeys,
  dispatcher: Dispatcher,
  timeoutMs: number,
): Deliver {
  return async ({ endpoint, auth, pdhkey }, message) => {
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { auth, p256dh: pdhkey } },
      payloadOf(message),
      { vapidDetails, TTL: lifeS, topic: tagOf(message) },
    );
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await request(endpoint, { method: 'POST', headers: texts, body, dispatcher, signal });
      await response.body.dump({ limit: maxResponseBytes });
      return response.statusCode;
    } catch (error) {
      if (error instanceof Error) return null;
      throw error;
    }
  };
}
