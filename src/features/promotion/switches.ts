import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { PromotionConfiguration } from './configuration/promotion.ts';

/** The kinds of promotion that the operator can switch off. */
export const promotionKinds = ['ads', 'cards', 'share', 'programs'] as const;

type PromotionKind = (typeof promotionKinds)[number];

/** Kinds that are off, on all instances. */
export type PromotionSwitches = Awaited<ReturnType<typeof openPromotionSwitches>>;

/** A kind of promotion that the operator has switched off. */
interface PromotionSwitchTable {
  /** `ads`, `cards`, `share` or `programs`. */
  kind: string;
  off_at: number;
}

/** Opens the switches, as they are now. @param now milliseconds since 1970 */
export async function openPromotionSwitches(database: Kysely<Tables>, now: () => number) {
  const query = database.$extendTables<{ promotion_switches: PromotionSwitchTable }>();
  let off = new Set<string>();
  const switches = {
    isOff: (kind: PromotionKind): boolean => off.has(kind),
    /** Off until it is switched on again, whatever restarts meanwhile. */
    async set(kind: PromotionKind, isOn: boolean): Promise<void> {
      if (isOn) await query.deleteFrom('promotion_switches').where('kind', '=', kind).execute();
      else
        await query
          .insertInto('promotion_switches')
          .values({ kind, off_at: now() })
          .onConflict((conflict) => conflict.column('kind').doNothing())
          .execute();
    },
    /** Reads them again. @returns whether one is set otherwise than before */
    async refresh(): Promise<boolean> {
      const rows = await query.selectFrom('promotion_switches').select('kind').execute();
      const before = off;
      off = new Set(rows.map(({ kind }) => kind));
      return before.symmetricDifference(off).size > 0;
    },
  };
  await switches.refresh();
  return switches;
}

/** The configured promotion without switched-off kinds. */
export const shownOf = (
  promotion: PromotionConfiguration,
  { isOff }: Pick<PromotionSwitches, 'isOff'>,
): PromotionConfiguration => ({
  ...promotion,
  items: promotion.items.filter(({ place }) => !isOff(place === 'card' ? 'cards' : 'ads')),
  share_config: isOff('share') ? null : promotion.share_config,
});
