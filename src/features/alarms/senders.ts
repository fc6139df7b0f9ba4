import { Agent, type Dispatcher } from 'undici';
import { createConnections } from '../../downloader/network/connections.ts';
import { asFailure, causesOf } from '../../failures/failures.ts';
import { postWebhook } from '../../http-client/webhook.ts';
import type { Environment } from '../../process/environment.ts';
import type { FailedStart } from '../../server/feature.ts';
import { openMailTransport } from '../../server/mail/transport.ts';
import type { Channel } from './alarm-store.ts';
import type { SendAlarm } from './deliver.ts';
import { type AlarmSender, testMessage, webhookRequest, wordsOf } from './messages.ts';
import { alarmVariables } from './variables.ts';
import { anyId } from './without-database/memory-alarms.ts';

/** The channels of alarms, open until `close`. */
export interface Senders {
  readonly byChannel: Readonly<Partial<Record<Channel, SendAlarm>>>;
  close(): Promise<void>;
}

const timeoutMs = 10_000;

/** Connects to public addresses only, checked after the last name lookup; to private ones where the operator allows it. */
export function openConnections(isPrivate: boolean, { HTTPS_PROXY, NO_PROXY }: Environment): Dispatcher {
  if (isPrivate)
    return new Agent({ connect: { timeout: timeoutMs }, headersTimeout: timeoutMs, connections: 1 });
  return createConnections({
    proxy: { HTTPS_PROXY, NO_PROXY },
    connectTimeoutMs: timeoutMs,
    headersTimeoutMs: timeoutMs,
    connections: 1,
  });
}

type Site = Omit<FailedStart, 'error'>;

/** Opens the channels of a site. */
export const openSiteSenders = ({ environment, configuration, origin }: Site): Promise<Senders> => {
  const { OPERATOR_PASSWORD, OPERATOR_PASSWORDS_FILE } = environment.variables;
  const hasDesk = (OPERATOR_PASSWORD ?? OPERATOR_PASSWORDS_FILE) !== undefined;
  const { brand: name, domain } = configuration;
  return openSenders(environment, { name, domain, origin, hasDesk }, Date.now);
};

/**
 * Sends a message by each channel, to try whether it arrives.
 * @returns by channel why it was not taken; null where it was
 */
export async function tryChannels(
  byChannel: Senders['byChannel'],
  now: number,
): Promise<readonly { readonly channel: string; readonly failure: string | null }[]> {
  return Promise.all(
    Object.entries(byChannel).map(async ([channel, send]) => {
      try {
        await send(testMessage(anyId(), channel as Channel, now));
        return { channel, failure: null };
      } catch (error) {
        return { channel, failure: causesOf(asFailure(error)) };
      }
    }),
  );
}

/** Opens the channels of a site for one test message by each. @returns as {@link tryChannels} */
export async function trySiteChannels(site: Site): ReturnType<typeof tryChannels> {
  const senders = await openSiteSenders(site);
  try {
    return await tryChannels(senders.byChannel, Date.now());
  } finally {
    await senders.close();
  }
}

/** @param now milliseconds since 1970 */
export async function openSenders(
  environment: Environment,
  sender: AlarmSender,
  now: () => number,
): Promise<Senders> {
  const own = alarmVariables.read(environment);
  const { ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_SECRET: secret, ALARM_MAIL: to } = own;
  const { SMTP_URL, CONTACT_FROM, CONTACT_TO } = environment;
  const ends: (() => unknown)[] = [];
  const byChannel: Partial<Record<Channel, SendAlarm>> = {};
  if (url !== undefined) {
    const dispatcher = openConnections(own.ALARM_WEBHOOK_PRIVATE, environment);
    ends.push(() => dispatcher.destroy());
    byChannel.webhook = (message) => {
      const { url: to, body } = webhookRequest(url, message, sender);
      return postWebhook(
        { url: to, secret, dispatcher, timeoutMs, now },
        `${sender.domain}-${message.id}`,
        body,
      );
    };
  }
  if (to !== undefined && SMTP_URL !== undefined) {
    const transport = await openMailTransport(SMTP_URL);
    ends.push(() => transport.close());
    byChannel.mail = async (message) => {
      const { title, lines } = wordsOf(message, sender);
      await transport.sendMail({
        from: { name: sender.name, address: CONTACT_FROM ?? CONTACT_TO ?? to },
        to: { name: '', address: to },
        subject: title,
        // RFC 3834: no program answers it.
        headers: { 'Auto-Submitted': 'auto-generated' },
        messageId: `<alarm-${message.id}-${message.madeAt}@${sender.domain}>`,
        date: new Date(message.madeAt),
        text: `${lines.join('\n\n')}\n`,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    };
  }
  return {
    byChannel,
    async close() {
      await Promise.all(ends.map((end) => end()));
    },
  };
}
