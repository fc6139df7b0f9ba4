import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createOutbox } from '../../stores/shared-work/outbox.ts';
import { withMessages } from './tables.ts';

/** The operator's answer to a message. */
export type Answer = NonNullable<Awaited<ReturnType<Answers['show']>>>;

const columns = ['id', 'message_id as messageId', 'text', 'made_at as madeAt', 'state as mailState'] as const;

/** Answers are kept beside their messages, and queued for the mail to the visitor. */
export type Answers = ReturnType<typeof createAnswers>;

/** @param now milliseconds since 1970 */
export function createAnswers(database: Kysely<Tables>, now: () => number) {
  const query = withMessages(database);
  return {
    ...createOutbox(database, 'message_answers', now),
    /** @returns the answer's number @throws Error when there is no such message */
    async plan(messageId: number, text: string) {
      const { id } = await query
        .insertInto('message_answers')
        .values({ message_id: messageId, text, made_at: now(), state: 'waiting', next_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async show(id: number) {
      const row = await query
        .selectFrom('message_answers')
        .select(columns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ?? null;
    },
    /** Lists a message's answers, the oldest first. */
    listOf: (messageId: number) =>
      query
        .selectFrom('message_answers')
        .select(columns)
        .where('message_id', '=', messageId)
        .orderBy('id')
        .execute(),
  };
}
