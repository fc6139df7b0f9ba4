import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** Number of rows by state of their mail. */
export async function countByMailState(
  query: Kysely<Tables>,
  table: 'messages' | 'acknowledgements',
): Promise<readonly { readonly mail: string; readonly total: number }[]> {
  const rows = await query
    // Cast: Kysely needs one table name; both have the column.
    .selectFrom(table as 'messages')
    .select(({ fn }) => ['mail_state as mail', fn.countAll<number | string>().as('total')])
    .groupBy('mail_state')
    .execute();
  return rows.map(({ mail, total }) => ({ mail, total: Number(total) }));
}
