import type { PushStore, Registration } from '../contracts.ts';
import type { withPush } from '../tables.ts';

type Subscriptions = Pick<PushStore, 'register' | 'unregister' | 'count'>;

/** The subscribed devices. @param now milliseconds since 1970 */
export function createPushSubscriptions(
  query: ReturnType<typeof withPush>,
  now: () => number,
): Subscriptions {
  /** @returns whether the endpoint existed */
  const replace = (
    endpoint: string,
    { language: _, ...known }: Registration & { readonly seen_at: number },
  ) =>
    query.transaction().execute(async (transaction) => {
      if (endpoint !== known.endpoint)
        await transaction.deleteFrom('push_subscriptions').where('endpoint', '=', known.endpoint).execute();
      const { numUpdatedRows } = await transaction
        .updateTable('push_subscriptions')
        .set(known)
        .where('endpoint', '=', endpoint)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });

  /** @returns whether the endpoint existed */
  async function update(known: Registration & { readonly seen_at: number }): Promise<boolean> {
    const { numUpdatedRows } = await query
      .updateTable('push_subscriptions')
      .set(known)
      .where('endpoint', '=', known.endpoint)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  return {
    async register(registration, replaces, admit) {
      const known = { ...registration, seen_at: now() };
      if (replaces !== undefined && (await replace(replaces, known))) return;
      if (await update(known)) return;
      await admit?.();
      await query
        .insertInto('push_subscriptions')
        .values({ ...known, made_at: now() })
        .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(known))
        .execute();
    },

    async unregister(endpoint) {
      await query.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute();
    },

    async count(language) {
      let rows = query
        .selectFrom('push_subscriptions')
        .select(({ fn }) => fn.countAll<number | string>().as('total'));
      if (language !== null) rows = rows.where('language', '=', language);
      return Number((await rows.executeTakeFirstOrThrow()).total);
    },
  };
}
