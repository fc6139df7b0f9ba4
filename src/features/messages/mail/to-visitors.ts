import type { Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import { createOutbox } from '../../../stores/shared-work/outbox.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { mailboxOf, withMessages } from '../messages.ts';

const dayMs = 86_400_000;

/**
 * Mails to visitors that say that their message arrived.
 * @param perHour limit of planned mails in an hour, for all visitors together
 * @param now milliseconds since 1970
 */
export function createAcknowledgements(database: Kysely<Tables>, perHour: number, now: () => number) {
  return {
    ...createOutbox(database, 'acknowledgements', now),

    /**
     * Plans one for a message, unless its address got one within a day or this hour's mails are used up: anybody can
     * enter anybody's address into a form.
     * @returns whether one will be sent
     */
    async plan({ id, email }: { readonly id: number; readonly email: string }): Promise<boolean> {
      const time = now();
      await withMessages(database)
        .deleteFrom('acknowledgements')
        .where('made_at', '<=', time - dayMs)
        .execute();
      const row = {
        ...{ id, mailbox: mailboxOf(email), made_at: time, next_at: time },
        state: 'waiting' as const,
      };
      // In one transaction: no mail is planned beyond the hour's limit.
      return database.transaction().execute(async (transaction) => {
        const query = withMessages(transaction);
        const { numInsertedOrUpdatedRows } = await query
          .insertInto('acknowledgements')
          .values(row)
          .onConflict((conflict) => conflict.column('mailbox').doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) return false;
        const taken = await createTallyStore(transaction, now).take('acknowledgements', perHour);
        if (taken === null) await query.deleteFrom('acknowledgements').where('id', '=', id).execute();
        return taken !== null;
      });
    },
  };
}

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
