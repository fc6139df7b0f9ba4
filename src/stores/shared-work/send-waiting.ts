import type { Claimed, Outbox, Waiting } from './outbox.ts';

/** How often a row is tried. */
export interface Patience {
  /** Before the second attempt; doubles each time. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  readonly maxAttempts: number;
  /** Whether no other try makes sense after this error. */
  isFinal?(error: unknown): boolean;
}

/** An outbox's reports on its work. */
export interface SendingObserver<Item> {
  sent(item: Item): void;
  /** @param givenUp true when it will not be tried again */
  failed(item: Item, error: unknown, givenUp: boolean): void;
}

/** The cause of failed attempts at an abandoned row: its process ended each time, or the database failed. */
class AttemptsUsedUp extends Error {
  override readonly name = 'AttemptsUsedUp';
}

/**
 * Sends everything that is due. A row is marked as sent once it was accepted; if the process ends between the two, it is
 * sent again.
 * @param send throws when it was not accepted
 * @param isEnded asked before each row
 */
export async function sendWaiting<Item extends Claimed>(
  waiting: Waiting<Item>,
  send: (item: Item) => Promise<void>,
  observer: SendingObserver<Item>,
  { firstDelayMs, longestDelayMs, maxAttempts, isFinal = () => false }: Patience,
  isEnded = () => false,
): Promise<void> {
  while (!isEnded()) {
    const item = await waiting.claim();
    if (item === null) return;
    const { id, attempts } = item;
    try {
      if (attempts > maxAttempts) throw new AttemptsUsedUp();
      await send(item);
    } catch (error) {
      const givenUp = attempts >= maxAttempts || isFinal(error);
      const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
      observer.failed(item, error, givenUp);
      await waiting.putOff(id, givenUp ? null : delayMs);
      continue;
    }
    await waiting.markSent(id);
    observer.sent(item);
  }
}

/** Interval for checking for rows that another instance left behind. */
const lookMs = 30_000;

/**
 * Sends what is due whenever it becomes due.
 * @param onBroken called when the database was unreachable
 */
export function startSender(
  outbox: Outbox,
  send: (item: Claimed) => Promise<void>,
  observer: SendingObserver<Claimed>,
  patience: Patience,
  onBroken: (error: unknown) => void,
) {
  let closed = false;
  let running: Promise<void> | null = null;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  /** @returns when to look again */
  async function sendAll(): Promise<number> {
    await sendWaiting(outbox, send, observer, patience, () => closed);
    return Math.min(lookMs, (await outbox.waitFor()) ?? lookMs);
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
        onBroken(error);
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
    /** Looks for rows now instead of in a while. */
    wake,
    /** Lets the row that is being sent finish. */
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
