import type { AlarmMessage, Channel, DueMessages } from './alarm-store.ts';

/** Sends a message by one channel. @throws Error when it was not taken */
export type SendAlarm = (message: AlarmMessage) => Promise<void>;

/** What deliveries tell about their work. */
export interface DeliveryObserver {
  sent(message: AlarmMessage): void;
  failed(message: AlarmMessage, error: unknown, givenUp: boolean): void;
}

const firstDelayMs = 15_000;
const longestDelayMs = 15 * 60_000;
/** A message that nobody takes for so long is no news any more. */
const patienceMs = 2 * 86_400_000;

const delayAfter = (attempts: number) => Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts, 10));

/**
 * Sends what is due. A channel that fails is left alone until its message is due again.
 * @param isMine whether this instance alone still sends, asked before each message
 */
export async function deliver(
  store: DueMessages,
  senders: Readonly<Partial<Record<Channel, SendAlarm>>>,
  now: () => number,
  isMine: () => Promise<boolean>,
  observer: DeliveryObserver,
): Promise<void> {
  const failing = new Set<Channel>();
  for (const message of await store.due()) {
    const send = senders[message.channel];
    if (failing.has(message.channel)) continue;
    if (!(await isMine())) return;
    try {
      if (send === undefined) throw new Error(`${message.channel} is not set up any more`);
      await send(message);
    } catch (error) {
      failing.add(message.channel);
      const givenUp = send === undefined || now() - message.madeAt > patienceMs;
      await store.putOff(message.id, givenUp ? null : delayAfter(message.attempts));
      observer.failed(message, error, givenUp);
      continue;
    }
    await store.markSent(message.id);
    observer.sent(message);
  }
}
