import { Agent, type Dispatcher } from 'undici';
import { createConnections } from '../../downloader/network/connections.ts';
import { asFailure, causesOf } from '../../failures/failures.ts';
import { postWebhook } from '../../http-client/webhook.ts';
import type { Environment } from '../../process/environment.ts';
import { timeText } from '../../server/desk/texts.ts';
import type { FailedStart } from '../../server/feature.ts';
import { openMailTransport } from '../../server/mail/transport.ts';
import type { Alarm, AlarmMessage, Channel, SendAlarm } from './alarm-store.ts';
import { conditions } from './conditions/conditions.ts';
import { alarmVariables } from './variables.ts';
import { anyId } from './without-database.ts';

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

/** Whose site it is. */
interface AlarmSender {
  /** The site's name for people. */
  readonly name: string;
  readonly domain: string;
  /** Public origin without a last slash. */
  readonly origin: string;
  readonly hasDesk: boolean;
}

const conditionOf = ({ condition }: Alarm) => conditions.find(({ name }) => name === condition);

/** Name of what is sent to try whether alarms arrive. */
const testName = 'test';

/** A message that tells of nothing. @param now milliseconds since 1970 */
export const testMessage = (id: number, channel: Channel, now: number): AlarmMessage => ({
  ...{ id, channel, kind: 'begun', madeAt: now, attempts: 0 },
  alarm: {
    ...{ id, condition: testName, subject: '', since: now, seenAt: now, notifiedAt: now, endedAt: null },
    text: 'Nothing is wrong: somebody tries whether alarms arrive here.',
  },
});

/** The address of the alarm's page. */
const placeOf = ({ condition }: Alarm, { origin, hasDesk }: AlarmSender) =>
  hasDesk
    ? `${origin}/operator/alarms${condition === testName ? '' : `/${condition}`}`
    : `${origin} (docs/alarms.md says more)`;

/** The title and the lines of a message; the last line is an address. */
export function wordsOf({ kind, alarm }: Pick<AlarmMessage, 'kind' | 'alarm'>, sender: AlarmSender) {
  const found = conditionOf(alarm);
  const title = found?.title ?? (alarm.condition === testName ? 'A test of the alarms' : alarm.condition);
  const lasted = `${timeText(alarm.since)} to ${timeText(alarm.seenAt)}`;
  const place = placeOf(alarm, sender);
  return kind === 'begun'
    ? {
        title: `[${sender.name}] ${title}`,
        lines: [
          ...[alarm.text, `Since ${timeText(alarm.since)}.`],
          ...(found === undefined ? [] : [found.advice]),
          place,
        ],
      }
    : {
        title: `[${sender.name}] Over: ${title}`,
        lines: [`It lasted from ${lasted}.`, `Last: ${alarm.text}`, place],
      };
}

/** The body for programs; Mattermost and the like show its `text`. */
function plainBody({ kind, alarm }: AlarmMessage, sender: AlarmSender, text: string): object {
  return {
    text,
    content: text.slice(0, 2000),
    kind,
    site: sender.origin,
    alarm: {
      id: alarm.id,
      condition: alarm.condition,
      severity: conditionOf(alarm)?.severity ?? 'warning',
      subject: alarm.subject,
      text: alarm.text,
      since: new Date(alarm.since).toISOString(),
      seen_at: new Date(alarm.seenAt).toISOString(),
      ended_at: alarm.endedAt === null ? null : new Date(alarm.endedAt).toISOString(),
    },
  };
}

/** A message of ntfy (docs.ntfy.sh/publish, "Publish as JSON"): sent to its root, and the topic is the path's. */
function ntfyRequest(address: URL, message: AlarmMessage, sender: AlarmSender) {
  const { title, lines } = wordsOf(message, sender);
  const isCritical = message.kind === 'begun' && conditionOf(message.alarm)?.severity === 'critical';
  const root = new URL(address);
  root.pathname = '/';
  return {
    url: root.href,
    body: {
      topic: address.pathname.replaceAll('/', ''),
      ...{ title, message: lines.slice(0, -1).join('\n') },
      priority: isCritical ? 5 : 3,
      tags: [message.kind === 'over' ? 'white_check_mark' : isCritical ? 'rotating_light' : 'warning'],
      ...(sender.hasDesk && { click: lines.at(-1) }),
    },
  };
}

/**
 * The request to a webhook, by the kind of its address: Slack, Discord, Telegram (`…/sendMessage?chat_id=…`) and ntfy have
 * forms of their own, everybody else gets all of it.
 */
export function webhookRequest(url: string, message: AlarmMessage, sender: AlarmSender) {
  const address = new URL(url);
  const { hostname, searchParams, pathname } = address;
  const { title, lines } = wordsOf(message, sender);
  const text = [title, ...lines].join('\n');
  if (hostname === 'hooks.slack.com')
    // docs.slack.dev, "Formatting message text": these three are escaped.
    return { url, body: { text: text.replace(/[&<>]/g, (one) => slackEntities[one] ?? one) } };
  if (/(?:^|\.)discord(?:app)?\.com$/.test(hostname))
    // A message that pings nobody, whatever it says.
    return { url, body: { content: text.slice(0, 2000), allowed_mentions: { parse: [] } } };
  if (hostname === 'api.telegram.org' && pathname.endsWith('/sendMessage')) {
    const chat_id = searchParams.get('chat_id');
    return {
      url: `${address.origin}${pathname}`,
      body: { chat_id, text: text.slice(0, 4096), link_preview_options: { is_disabled: true } },
    };
  }
  if (hostname.split('.').includes('ntfy')) return ntfyRequest(address, message, sender);
  return { url, body: plainBody(message, sender, text) };
}

const slackEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
