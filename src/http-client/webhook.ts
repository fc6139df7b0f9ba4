import { createHmac } from 'node:crypto';
import { type Dispatcher, request } from 'undici';

/** A webhook that could not be asked, or that answered with something else than success. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

interface WebhookOptions {
  readonly url: string;
  /** Signs what is sent; left out, nothing is signed. */
  readonly secret?: string | undefined;
  /** Decides which addresses may be connected to. */
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Only the status of an answer is used, but its connection is used again only when its body was read. */
const maxResponseBytes = 64 * 1024;

/**
 * `t={seconds since 1970},v1={HMAC-SHA-256 of "{t}.{body}", in hexadecimal digits}`: the time is signed too, so that what
 * was overheard cannot be sent again later.
 */
export function signatureOf(secret: string, body: string, timeMs: number): string {
  const t = Math.floor(timeMs / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

/**
 * Posts JSON once. No redirect is followed: whom to tell was decided by the operator who named the address.
 * @param delivery the same for each attempt at one message, so that a receiver knows one that came before
 * @throws WebhookError
 */
export async function postWebhook(
  { url, secret, dispatcher, timeoutMs, now }: WebhookOptions,
  delivery: string,
  value: object,
  signal?: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(value);
  const limit = AbortSignal.timeout(timeoutMs);
  let status: number;
  try {
    const response = await request(url, {
      method: 'POST',
      body,
      dispatcher,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Clipferry',
        'x-clipferry-delivery': delivery,
        ...(secret !== undefined && { 'x-clipferry-signature': signatureOf(secret, body, now()) }),
      },
    });
    await response.body.dump({ limit: maxResponseBytes });
    status = response.statusCode;
  } catch (cause) {
    throw new WebhookError('the webhook does not answer', { cause });
  }
  if (status < 200 || status > 299) throw new WebhookError(`the webhook answered ${status}`);
}
