import type { Alarm, AlarmMessage } from './alarm-store.ts';
import { conditions } from './conditions.ts';

/** Whose site it is. */
export interface AlarmSender {
  /** What people know the site by. */
  readonly name: string;
  readonly domain: string;
  /** Public origin without a last slash. */
  readonly origin: string;
}

const timeOf = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const conditionOf = ({ condition }: Alarm) => conditions.find(({ name }) => name === condition);

/** The title and the lines of a message. */
export function wordsOf({ kind, alarm }: Pick<AlarmMessage, 'kind' | 'alarm'>, { name }: AlarmSender) {
  const found = conditionOf(alarm);
  const title = found?.title ?? alarm.condition;
  const lasted = `${timeOf(alarm.since)} to ${timeOf(alarm.seenAt)}`;
  return kind === 'begun'
    ? {
        title: `[${name}] ${title}`,
        lines: [alarm.text, `Since ${timeOf(alarm.since)}.`, ...(found === undefined ? [] : [found.advice])],
      }
    : { title: `[${name}] Over: ${title}`, lines: [`It lasted from ${lasted}.`, `Last: ${alarm.text}`] };
}

/**
 * What a webhook is sent. `text` is what Slack and Mattermost show, `content` what Discord does; programs read the rest.
 */
export function webhookBody(message: AlarmMessage, sender: AlarmSender): object {
  const { kind, alarm } = message;
  const { title, lines } = wordsOf(message, sender);
  const text = [title, ...lines].join('\n');
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
