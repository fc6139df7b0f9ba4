import { startRetentionJob } from '../../process/periodic.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import type { StoredLimit } from '../../server/http/limits/stored-quota.ts';
import { blockFactor } from '../../server/http/limits/visitor-limits.ts';
import { messageReceiver } from '../../server/rendering/site-services.ts';
import { createAnswers } from './answers.ts';
import { messageEndpoints } from './endpoints.ts';
import { openMailing } from './mail/mailing.ts';
import { createMessageReceiver } from './message-receiver.ts';
import { createMessages } from './messages.ts';
import { watchMessages } from './metrics.ts';
import { messagePaths } from './open-api.ts';
import { messageVariables } from './variables.ts';

const hourS = 3600;
/** All visitors together may leave this multiple of one visitor's messages. */
const allFactor = 50;
/** A message is rarely longer than a few thousand letters; a block's longest ones find room as well. */
const usualBytes = 4096;

const storedLimit = (perVisitor: number): StoredLimit => ({
  periodS: hourS,
  block: { rows: perVisitor * blockFactor, bytes: perVisitor * blockFactor * usualBytes * 2 },
  all: { rows: perVisitor * allFactor, bytes: perVisitor * allFactor * usualBytes },
});

/** Opens the receiver of visitors' messages, and the mailing. */
export default async function openMessages({
  environment,
  database,
  configuration,
  metrics,
  logger,
  rateLimits,
  quotas,
}: Core): Promise<FeatureServer> {
  const mailing = await openMailing(environment, database, configuration, metrics, logger);
  const {
    MESSAGES_PER_HOUR: perVisitor,
    MESSAGES_DAYS: days,
    ACKNOWLEDGEMENTS_PER_HOUR,
  } = messageVariables.read(environment);
  const acknowledges = mailing.answer !== null && ACKNOWLEDGEMENTS_PER_HOUR > 0;
  const messages = createMessages(database.query, Date.now);
  watchMessages(database, metrics, logger);
  const receiveMessage = createMessageReceiver(
    messages,
    mailing.onStored,
    rateLimits.create('messages', perVisitor, hourS),
    quotas.create('messages', [storedLimit(perVisitor)]),
  );
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      messages.expire(days).then(
        (deleted) => deleted > 0 && logger.info({ messages: deleted }, 'old messages deleted'),
        (error: unknown) => logger.error({ err: error }, 'old messages could not be deleted'),
      ),
    logger,
  });
  return {
    legal: { messages_days: String(days), acknowledgements: acknowledges ? 'yes' : '' },
    services: messageReceiver.provide(receiveMessage),
    routes: (app) => messageEndpoints(app, receiveMessage, configuration),
    paths: messagePaths,
    async desk() {
      const { messagesPage } = await import('./desk/page.ts');
      return [messagesPage({ messages, answers: createAnswers(database.query, Date.now), mailing })];
    },
    async close() {
      await Promise.all([mailing.close(), endDeleting()]);
    },
  };
}
