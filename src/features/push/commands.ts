import type { Environment } from '../../process/environment.ts';
import type { Database } from '../../stores/contracts/database.ts';
import {
  type Command,
  printError,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { createProgress } from '../../web/commands/progress.ts';
import { refusedLately, refusedLine } from '../../web/commands/refused.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { NewPushMessage, PushMessage, PushStore } from './contracts.ts';
import { openPushSending } from './part.ts';
import { messagesFor, WrongPush } from './push-messages.ts';
import { sendOpenPush } from './sending/send-push.ts';
import { createPushStore } from './subscriptions/push-store.ts';

const options = {
  json: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  title: { type: 'string' },
  body: { type: 'string' },
  url: { type: 'string' },
  language: { type: 'string' },
  article: { type: 'string' },
  // Older scripts give it: every message is sent at once.
  now: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof readWords<typeof options>>['values'];

async function printKeys(json: boolean): Promise<number> {
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  if (json) printJson({ publicKey, privateKey });
  else
    printText(
      `VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\nVAPID_SUBJECT=mailto:you@example.org`,
    );
  return 0;
}

/** The messages that the options mean. @throws UsageError */
async function messagesOf(
  { query }: Database,
  configuration: SiteConfiguration,
  { SITE_ORIGIN }: Environment,
  values: Values,
): Promise<NewPushMessage[]> {
  const origin = SITE_ORIGIN ?? `https://${configuration.domain}`;
  try {
    return await messagesFor(query, { configuration, origin }, values);
  } catch (thrown) {
    if (!(thrown instanceof WrongPush)) throw thrown;
    throw new UsageError(`--${thrown.field}: ${thrown.message}`, { cause: thrown });
  }
}

const counts = ({ sent, gone, givenUp }: PushMessage) =>
  `${sent} sent, ${gone} ended and deleted, ${givenUp} given up`;

/**
 * Sends all open messages, with a progress bar, and takes over those that another process is sending.
 * @returns why no notification could be made for a device; null when one could be made for all
 */
async function sendAll(
  store: PushStore,
  { push: { services } }: SiteConfiguration,
  environment: Environment,
): Promise<string | null> {
  const sending = await openPushSending(environment);
  if (sending === null)
    throw new Error('VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT are not set: see "push keys"');
  const progress = createProgress();
  const all = await store.count(null);
  let done = 0;
  let problem: string | null = null;
  try {
    await sendOpenPush({
      store,
      deliver: sending.deliver,
      services,
      takesOver: true,
      onBatch({ sent, gone, failed }) {
        done += sent.length + gone.length + failed.length;
        progress.show('notifications', done, Math.max(all, done));
      },
      onBroken({ id }, error) {
        problem ??= `No notification can be made for subscription ${id}: ${(error as Error).message}`;
      },
    });
    return problem;
  } finally {
    progress.end();
    await sending.close();
  }
}

async function report(
  { query }: Database,
  store: PushStore,
  ids: readonly number[] | null,
  problem: string | null,
  json: boolean,
): Promise<number> {
  const messages = (await store.list(100)).filter(({ id }) => ids === null || ids.includes(id));
  const refused = await refusedLately(query, 'push_subscriptions');
  if (json) printJson({ messages, problem, refused });
  else {
    for (const message of messages)
      printText(
        `#${message.id}  ${message.title}: ${counts(message)}${message.isOpen ? ', not finished' : ''}`,
      );
    if (messages.some(({ isOpen }) => isOpen))
      printText('The running site or "push continue" sends what is not finished.');
    if (problem !== null) printText(problem);
    if (refused > 0) printText(refusedLine(refused, 'subscriptions'));
  }
  return 0;
}

/** Makes keys, and sends notifications to the devices that want them. */
export const push: Command = {
  usage:
    'push keys | send --title … [--body …] [--url …] | send --article KEY | continue | list   [--language L] [--dry-run] [--json]',
  about: 'notifications to the devices that want them',
  async run(words, { readConfiguration }) {
    const { values, positionals } = readWords(words, options);
    const [verb = 'list', ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`push ${verb} takes no further words`);
    if (verb === 'keys') return printKeys(values.json);
    if (verb !== 'send' && verb !== 'continue' && verb !== 'list')
      throw new UsageError('push needs keys, send, continue or list');
    return withDatabase(async (database, environment) => {
      const store = createPushStore(database.query, Date.now);
      if (verb === 'list') return report(database, store, null, null, values.json);
      const configuration = readConfiguration(environment.SITE_CONFIG);
      if (verb === 'continue') {
        const problem = await sendAll(store, configuration, environment);
        return report(database, store, null, problem, values.json);
      }
      const messages = await messagesOf(database, configuration, environment, values);
      if (values['dry-run']) {
        const planned = [];
        for (const message of messages)
          planned.push({ ...message, subscribers: await store.count(message.language) });
        if (values.json) printJson({ planned, dryRun: true });
        else
          for (const { title, subscribers } of planned) printText(`Would send "${title}" to ${subscribers}.`);
        return 0;
      }
      // Before anything is written down that could not be sent.
      const sending = await openPushSending(environment);
      if (sending === null) printError('There are no VAPID keys: see "push keys".');
      await sending?.close();
      if (sending === null) return 1;
      const ids: number[] = [];
      // A running site that began with one at once would send its first batch a second time.
      for (const message of messages) ids.push(await store.add(message, true));
      const problem = await sendAll(store, configuration, environment);
      return report(database, store, ids, problem, values.json);
    });
  },
};
