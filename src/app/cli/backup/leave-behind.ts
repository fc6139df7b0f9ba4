import type { Database } from '../../../stores/contracts/database.ts';

/**
 * Removes from a restored database what belonged to the people and processes of the machine that was backed up: sessions
 * of the desk, which may have been ended since, leases and instances, a running import, and messages that were sent after
 * the backup. Visitors' mails stay: twice is better than never.
 */
export async function leaveBehind({ query }: Pick<Database, 'query'>): Promise<void> {
  await query.transaction().execute(async (transaction) => {
    for (const table of ['operator_sessions', 'leases', 'instances'] as const)
      await transaction.deleteFrom(table).execute();
    await transaction.updateTable('imports').set({ owner: null }).execute();
    await transaction
      .updateTable('alarm_messages')
      .set({ state: 'failed' })
      .where('state', '=', 'waiting')
      .execute();
    await transaction.updateTable('push_messages').set({ is_open: 0, owner: null, owned_until: 0 }).execute();
  });
}
