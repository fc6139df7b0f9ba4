import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** The operator's switch of all promotion, on all instances. */
export type PromotionSwitch = Awaited<ReturnType<typeof openPromotionSwitch>>;

/** A row means that promotion is off. */
interface PromotionSwitchTable {
  /** Always `all`; earlier versions switched single kinds. */
  kind: string;
  off_at: number;
}

/** Opens the switch, as it is now. @param now milliseconds since 1970 */
export async function openPromotionSwitch(database: Kysely<Tables>, now: () => number) {
  const query = database.$extendTables<{ promotion_switches: PromotionSwitchTable }>();
  let isOn = true;
  const power = {
    isOn: () => isOn,
    /** Off until it is switched on again, whatever restarts meanwhile. */
    async set(on: boolean): Promise<void> {
      if (on) await query.deleteFrom('promotion_switches').execute();
      else
        await query
          .insertInto('promotion_switches')
          .values({ kind: 'all', off_at: now() })
          .onConflict((conflict) => conflict.column('kind').doNothing())
          .execute();
    },
    /** Reads it again. @returns whether it has changed */
    async refresh(): Promise<boolean> {
      const before = isOn;
      const row = await query.selectFrom('promotion_switches').select('kind').executeTakeFirst();
      isOn = row === undefined;
      return isOn !== before;
    },
  };
  await power.refresh();
  return power;
}
