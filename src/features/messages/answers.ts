import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createOutbox, type Outbox } from '../../stores/shared-work/outbox.ts';
import { withMessages } from './tables.ts';

/** The operator's answer to a message. */
export interface Answer {
  readonly id: number;
  readonly messageId: number;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly mailState: 'waiting' | 'sent' | 'failed';
}

/** Answers are kept beside their messages, and queued for the mail to the visitor. */
export interface Answers extends Outbox {
  /** @returns the answer's number @throws Error when there is no such message */
  plan(messageId: number, text: string): Promise<number>;
  show(id: number): Promise<Answer | null>;
  /** Lists a message's answers, the oldest first. */
  listOf(messageId: number): Promise<readonly Answer[]>;
}

const columns = ['id', 'message_id as messageId', 'text', 'made_at as madeAt', 'state as mailState'] as const;

/** @param now milliseconds since 1970 */
export function createAnswers(database: Kysely<Tables>, now: () => number): Answers {
  const query = withMessages(database);
  return {
    ...createOutbox(database, 'message_answers', now),
    async plan(messageId, text) {
      const { id } = await query
        .insertInto('message_answers')
        .values({ message_id: messageId, text, made_at: now(), state: 'waiting', next_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async show(id) {
      const row = await query
        .selectFrom('message_answers')
        .select(columns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ?? null;
    },
    listOf: (messageId) =>
      query
        .selectFrom('message_answers')
        .select(columns)
        .where('message_id', '=', messageId)
        .orderBy('id')
        .execute(),
  };
}
