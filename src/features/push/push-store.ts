import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { PushStore } from './contracts.ts';
import { createPushMessages } from './push-messages.ts';
import { createPushSubscriptions } from './push-subscriptions.ts';

/** Subscriptions and notifications in the database. @param now milliseconds since 1970 */
export function createPushStore(query: Kysely<Tables>, now: () => number): PushStore {
  return { ...createPushSubscriptions(query, now), ...createPushMessages(query, now) };
}
