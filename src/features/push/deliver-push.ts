import { type Dispatcher, request } from 'undici';
import type { PushRequest } from './compose-push.ts';
import type { PushMessage, Subscriber } from './contracts.ts';
import type { Deliver, PushAnswer } from './send-push.ts';

interface DeliveryOptions {
  compose(subscriber: Subscriber, message: PushMessage): PushRequest;
  readonly dispatcher: Dispatcher;
  /** For a request with its answer. */
  readonly timeoutMs: number;
}

/** Nobody reads what a push service says beyond its status, but the connection is used again only when it was read. */
const maxAnswerBytes = 64 * 1024;

const noAnswer: PushAnswer = { status: null, retryAfterMs: null };

/** Milliseconds that a `Retry-After` in seconds asks to wait (RFC 9110, section 10.2.3); null for its other form. */
function retryAfterMs(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : null;
}

/**
 * What hands messages to push services as RFC 8030, section 5 asks for it, over the connections that it is given. It
 * throws when no request can be made of a subscriber and a message.
 */
export function createPushDelivery({ compose, dispatcher, timeoutMs }: DeliveryOptions): Deliver {
  return async (subscriber, message) => {
    const { endpoint, headers, body } = compose(subscriber, message);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await request(endpoint, { method: 'POST', headers, body, dispatcher, signal });
      await answer.body.dump({ limit: maxAnswerBytes });
      return { status: answer.statusCode, retryAfterMs: retryAfterMs(answer.headers['retry-after']) };
    } catch (thrown) {
      // No answer, or none in time: it is tried again, or counted as given up.
      if (thrown instanceof Error) return noAnswer;
      throw thrown;
    }
  };
}
