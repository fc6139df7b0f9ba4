import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createMailQueue, type MailQueue } from './mail-queue.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Mails to visitors that say that their message arrived. */
export interface Acknowledgements extends MailQueue {
  /**
   * Plans one for a message, unless its address had one within a day or the mails of this hour are used up: anybody
   * can write anybody's address into a form.
   * @returns whether there will be one
   */
  plan(message: { readonly id: number; readonly email: string }): Promise<boolean>;
}

/** Two names of one service, which takes no notice of dots (https://support.google.com/mail/answer/7436150). */
const gmail = /^@(?:gmail|googlemail)\.com$/;

/**
 * Addresses that reach the same mailbox, as far as that can be told: case and what follows a plus do not matter, nor do
 * dots where it is known of the host.
 */
function mailboxOf(email: string): string {
  const [, name = '', host = ''] = /^([^+]*).*(@.*)$/s.exec(email.trim().toLowerCase()) ?? [];
  return gmail.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : name + host;
}

/**
 * @param perHour how many are planned in an hour, for all visitors together
 * @param now milliseconds since 1970
 */
export function createAcknowledgements(
  query: Kysely<Tables>,
  perHour: number,
  now: () => number,
): Acknowledgements {
  return {
    ...createMailQueue(query, 'acknowledgements', now),

    async plan({ id, email }) {
      const mailbox = mailboxOf(email);
      const time = now();
      await query
        .deleteFrom('acknowledgements')
        .where('made_at', '<=', time - dayMs)
        .execute();
      const { numInsertedOrUpdatedRows } = await query
        .insertInto('acknowledgements')
        .columns(['id', 'mailbox', 'made_at', 'mail_state', 'mail_next_at'])
        .expression(
          query
            .selectNoFrom(({ lit, val }) => [
              lit(id).as('id'),
              val(mailbox).as('mailbox'),
              lit(time).as('made_at'),
              sql.lit('waiting').as('mail_state'),
              lit(time).as('mail_next_at'),
            ])
            .where(({ not, exists, selectFrom }) =>
              not(exists(selectFrom('acknowledgements').select('id').where('mailbox', '=', mailbox))),
            )
            .where(
              ({ selectFrom, fn }) =>
                selectFrom('acknowledgements')
                  .select(fn.countAll().as('planned'))
                  .where('made_at', '>', time - hourMs),
              '<',
              perHour,
            ),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}
