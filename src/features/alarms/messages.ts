import { timeText } from '../../server/desk/texts.ts';
import type { Alarm, AlarmMessage, Channel } from './alarm-store.ts';
import { conditions } from './conditions/conditions.ts';

/** Whose site it is. */
export interface AlarmSender {
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
