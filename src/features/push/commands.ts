import { randomUUID } from 'node:crypto';
import type { Environment } from '../../process/environment.ts';
import { type CommandTools, UsageError } from '../../server/commands/declaration.ts';
import { createProgress, printError, printJson, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { refusedLately, refusedLine } from '../../server/http/limits/stored-quota.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { Database } from '../../stores/contracts/database.ts';
import { pushFields } from './configuration.ts';
import type { NewPushMessage, PushMessage } from './contracts.ts';
import { messagesFor, type PushWish, WrongPush, withSubscribers } from './sending/push-messages.ts';
import { sendOpenPush } from './sending/send-push.ts';
import { openPushSending } from './server.ts';
import { createPushStore, type PushStore } from './subscriptions/push-store.ts';

interface SendCall extends PushWish {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Prints a new key pair. */
export async function makeKeys({ json }: { json: boolean }): Promise<number> {
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
  values: SendCall,
): Promise<NewPushMessage[]> {
  const origin = SITE_ORIGIN ?? `https://${configuration.domain}`;
  try {
    return await messagesFor(query, { configuration, origin }, values);
  } catch (thrown) {
    if (!(thrown instanceof WrongPush)) throw thrown;
    throw new UsageError(`--${thrown.field}: ${thrown.message}`, { cause: thrown });
  }
}

const mostListed = 100;

const counts = ({ sent, gone, givenUp }: PushMessage) =>
  `${sent} sent, ${gone} ended and deleted, ${givenUp} given up`;

/**
 * Sends all open messages, with a progress bar, and takes over those that another process is sending.
 * @returns why no notification could be made for a device; null when one could be made for all
 */
async function sendAll(
  store: PushStore,
  configuration: SiteConfiguration,
  environment: Environment,
  owner: string,
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
      services: pushFields.of(configuration).push.services,
      takesOver: true,
      owner,
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
  messages: readonly PushMessage[],
  problem: string | null,
  json: boolean,
): Promise<number> {
  const refused = await refusedLately(query, 'push_subscriptions');
  if (json) printJson({ messages, problem, refused });
  else {
    for (const message of messages)
      printText(
        `#${message.id}  ${message.title}: ${counts(message)}${message.isOpen ? ', not finished' : ''}`,
      );
    if (messages.some(({ isOpen }) => isOpen)) printText('The running site sends what is not finished.');
    if (problem !== null) printText(problem);
    if (refused > 0) printText(refusedLine(refused, 'subscriptions'));
  }
  return 0;
}

/** Lists the last messages. */
export const listPush = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async (database) =>
    report(database, await createPushStore(database.query, Date.now).list(mostListed), null, json),
  );

/** Sends a message to everybody who wants it. */
export const sendPush = (given: SendCall, { readConfiguration }: CommandTools): Promise<number> =>
  withDatabase(async (database, environment) => {
    const store = createPushStore(database.query, Date.now);
    const configuration = await readConfiguration(environment.SITE_CONFIG);
    const messages = await messagesOf(database, configuration, environment, given);
    if (given.dryRun) {
      const planned = await withSubscribers(store, messages);
      if (given.json) printJson({ planned, dryRun: true });
      else
        for (const { title, subscribers } of planned) printText(`Would send "${title}" to ${subscribers}.`);
      return 0;
    }
    // Before anything is stored that could not be sent.
    const sending = await openPushSending(environment);
    if (sending === null) printError('There are no VAPID keys: see "push keys".');
    await sending?.close();
    if (sending === null) return 1;
    const ids: number[] = [];
    // A running site that began with one at once would send its first batch a second time.
    const owner = randomUUID();
    await store.claim(owner, true);
    for (const message of messages) ids.push(await store.add(message));
    const problem = await sendAll(store, configuration, environment, owner);
    const sent = (await store.list(mostListed)).filter(({ id }) => ids.includes(id));
    return report(database, sent, problem, given.json);
  });
