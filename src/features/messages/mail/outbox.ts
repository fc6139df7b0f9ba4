import type { MailQueue, QueuedMail } from './mail-queue.ts';

/** Longer than sending can take, with its own time limits. */
const leaseMs = 5 * 60_000;
const firstDelayMs = 5000;
const longestDelayMs = 3_600_000;
/** At the longest delay, about three days. */
const usualAttempts = 80;
/** How often mails are looked for that another instance left behind. */
const lookMs = 30_000;

/** What an outbox tells about its work. */
export interface OutboxObserver {
  sent(mail: QueuedMail): void;
  /** @param givenUp true when it will not be tried again */
  failed(mail: QueuedMail, error: unknown, givenUp: boolean): void;
  /** The database could not be asked. */
  broken(error: unknown): void;
}

/** What ended all attempts at a mail before it was given up: its process, each time, or the database. */
class AttemptsUsedUp extends Error {
  override readonly name = 'AttemptsUsedUp';
}

/** How long an outbox tries. */
export interface OutboxPatience {
  readonly maxAttempts?: number;
  /** Whether no other try makes sense after this error. */
  isFinal?(error: unknown): boolean;
}

/** Sends what waits, until it is sent. */
export interface Outbox {
  /** Looks for mails now instead of in a while. */
  wake(): void;
  /** Lets the mail that is being sent finish. */
  close(): Promise<void>;
}

/** How long to wait after a number of attempts: twice as long each time. */
function delayAfter(attempts: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
}

/**
 * Starts mailing. A mail is marked as sent once, after the mail server took it; if the process ends between the two,
 * it is sent again.
 * @param send throws when the mail server did not take the mail
 */
export function startOutbox(
  queue: MailQueue,
  send: (mail: QueuedMail) => Promise<void>,
  observer: OutboxObserver,
  { maxAttempts = usualAttempts, isFinal = () => false }: OutboxPatience = {},
): Outbox {
  let closed = false;
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  /** Mails everything that is due. @returns when to look again */
  async function sendAll(): Promise<number> {
    while (!closed) {
      const mail = await queue.take(leaseMs);
      if (mail === null) break;
      try {
        if (mail.mailAttempts > maxAttempts) throw new AttemptsUsedUp();
        await send(mail);
      } catch (error) {
        const givenUp = mail.mailAttempts >= maxAttempts || isFinal(error);
        observer.failed(mail, error, givenUp);
        await queue.putOff(mail.id, givenUp ? null : delayAfter(mail.mailAttempts));
        continue;
      }
      await queue.markSent(mail.id);
      observer.sent(mail);
    }
    return Math.min(lookMs, (await queue.waitFor()) ?? lookMs);
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
