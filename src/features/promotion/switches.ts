import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { AdConfiguration } from './configuration/ads.ts';
import type { PromotionConfiguration } from './configuration/promotion.ts';

/** What the operator switches off and on as a whole. */
export const promotionKinds = ['ads', 'cards', 'share', 'programs'] as const;

type PromotionKind = (typeof promotionKinds)[number];

/** Kinds that are off, on all instances. */
export interface PromotionSwitches {
  isOff(kind: PromotionKind): boolean;
  /** Off until it is switched on again, whatever restarts meanwhile. */
  set(kind: PromotionKind, isOn: boolean): Promise<void>;
  /** Reads them again. @returns whether one is set otherwise than before */
  refresh(): Promise<boolean>;
}

const isKind = (text: string): text is PromotionKind => promotionKinds.some((kind) => kind === text);

/** Opens the switches, as they are now. @param now milliseconds since 1970 */
export async function openPromotionSwitches(
  query: Kysely<Tables>,
  now: () => number,
): Promise<PromotionSwitches> {
  let off = new Set<PromotionKind>();
  const switches: PromotionSwitches = {
    isOff: (kind) => off.has(kind),
    async set(kind, isOn) {
      if (isOn) await query.deleteFrom('promotion_switches').where('kind', '=', kind).execute();
      else
        await query
          .insertInto('promotion_switches')
          .values({ kind, off_at: now() })
          .onConflict((conflict) => conflict.column('kind').doNothing())
          .execute();
    },
    async refresh() {
      const rows = await query.selectFrom('promotion_switches').select('kind').execute();
      const found = new Set(rows.map(({ kind }) => kind).filter(isKind));
      const hasChanged = found.symmetricDifference(off).size > 0;
      off = found;
      return hasChanged;
    },
  };
  await switches.refresh();
  return switches;
}

const noAds = (ads: AdConfiguration): AdConfiguration => ({
  ...ads,
  ...{ side: [], bottom: [], box: [], recommended: [], newest: [] },
});

/** What is promoted of what is configured. */
export const shownOf = (
  promotion: PromotionConfiguration,
  { isOff }: Pick<PromotionSwitches, 'isOff'>,
): PromotionConfiguration => ({
  ...promotion,
  ...(isOff('ads') && { ads: noAds(promotion.ads) }),
  ...(isOff('cards') && { cards: [] }),
  ...(isOff('share') && { share: null }),
});
