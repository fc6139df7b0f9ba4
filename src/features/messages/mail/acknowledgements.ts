import type { Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import { createOutbox } from '../../../stores/shared-work/outbox.ts';
import { createTallyStore } from '../../../stores/tally/tally-store.ts';
import { withMessages } from '../tables.ts';
import { mailboxOf } from './mailbox.ts';

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
