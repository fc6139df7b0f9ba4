import type { Waiting } from '../../stores/shared-work/outbox.ts';
import { type SendingObserver, sendWaiting } from '../../stores/shared-work/outbox.ts';
import type { AlarmMessage, Channel } from './alarm-store.ts';

/** Sends a message by one channel. @throws Error when it was not taken */
export type SendAlarm = (message: AlarmMessage) => Promise<void>;

/** Hears how deliveries end. */
export type DeliveryObserver = SendingObserver<AlarmMessage>;

/** The operator has taken a channel out of the environment. */
class ChannelGone extends Error {
  override readonly name = 'ChannelGone';
}

const patience = {
  firstDelayMs: 15_000,
  longestDelayMs: 15 * 60_000,
  /** About two days: a message that nobody takes for so long is no news any more. */
  maxAttempts: 200,
  isFinal: (error: unknown) => error instanceof ChannelGone,
};

/** Sends what is due. A message that is put off holds back its channel: nothing is over before it has begun. */
export const deliver = (
  messages: Waiting<AlarmMessage>,
  senders: Readonly<Partial<Record<Channel, SendAlarm>>>,
  observer: DeliveryObserver,
): Promise<void> =>
  sendWaiting(
    messages,
    async (message) => {
      const send = senders[message.channel];
      if (send === undefined) throw new ChannelGone(`${message.channel} is not set up any more`);
      await send(message);
    },
    observer,
    patience,
  );
