import type { Message, Messages } from './messages.ts';

/** Longer than sending can take, with its own time limits. */
const leaseMs = 5 * 60_000;
const firstDelayMs = 5000;
const longestDelayMs = 3_600_000;
/** At the longest delay, about three days. */
const maxAttempts = 80;
/** How often messages are looked for that another instance left behind. */
const lookMs = 30_000;

/** What an outbox tells about its work. */
export interface OutboxObserver {
  sent(message: Message): void;
  /** @param givenUp true when it will not be tried again */
  failed(message: Message, error: unknown, givenUp: boolean): void;
  /** The database could not be asked. */
  broken(error: unknown): void;
}

/** Mails what is kept, until it is mailed. */
export interface Outbox {
  /** Looks for messages now instead of in a while. */
  wake(): void;
  /** Lets the mail that is being sent finish. */
  close(): Promise<void>;
}

/** How long to wait after a number of attempts: twice as long each time. */
function delayAfter(attempts: number): number | null {
  if (attempts >= maxAttempts) return null;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
}

/**
 * Starts mailing. A message is marked as mailed once, after the mail server took it; if the process ends between the
 * two, it is mailed again.
 * @param send throws when the mail server did not take the mail
 */
export function startOutbox(
  messages: Messages,
  send: (message: Message) => Promise<void>,
  observer: OutboxObserver,
): Outbox {
  let closed = false;
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  /** Mails everything that is due. @returns when to look again */
  async function sendAll(): Promise<number> {
    while (!closed) {
      const message = await messages.take(leaseMs);
      if (message === null) break;
      try {
        await send(message);
      } catch (error) {
        const delayMs = delayAfter(message.mailAttempts);
        observer.failed(message, error, delayMs === null);
        await messages.putOff(message.id, delayMs);
        continue;
      }
      await messages.markSent(message.id);
      observer.sent(message);
    }
    return Math.min(lookMs, (await messages.waitFor()) ?? lookMs);
  }

  function wake(): void {
    if (closed) return;
    if (running !== null) {
      again = true;
      return;
    }
    clearTimeout(timer);
    again = false;
    running = sendAll()
      .catch((error: unknown) => {
        observer.broken(error);
        return lookMs;
      })
      .then((delayMs) => {
        running = null;
        if (closed) return;
        if (again) wake();
        else timer = setTimeout(wake, delayMs).unref();
      });
  }

  wake();
  return {
    wake,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
