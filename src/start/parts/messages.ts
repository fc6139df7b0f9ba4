import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { RateLimits } from '../../server/http/rate-limits.ts';
import { createMessageReceiver, type ReceiveMessage } from '../../server/message-receiver.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { Database } from '../../stores/contracts/database.ts';
import { createMessages } from '../../visitors/messages/messages.ts';
import type { Environment } from '../process/environment.ts';
import { openMailing } from './mailing.ts';

const hourS = 3600;

/** What takes messages, and what mails them. */
export interface MessageParts {
  readonly receiveMessage: ReceiveMessage;
  close(): Promise<void>;
}

/** Puts together what visitors write to the operator through. */
export async function assembleMessages(
  environment: Environment,
  database: Database,
  configuration: SiteConfiguration,
  metrics: Registry,
  logger: Logger,
  rateLimits: RateLimits,
): Promise<MessageParts> {
  const mailing = await openMailing(environment, database, configuration, metrics, logger);
  const limit = rateLimits.create('messages', environment.MESSAGES_PER_HOUR, hourS);
  const receiveMessage = createMessageReceiver(
    createMessages(database.query, Date.now),
    mailing.onKept,
    limit,
  );
  return { receiveMessage, close: mailing.close };
}
