import type { Locale } from '../../i18n/languages.ts';
import type { DownloaderModule } from '../../web/configuration/configuration.ts';
import type { Layout } from '../../web/overlays/layout.ts';
import { type AdPlace, chooseAds } from './ads/page-ads.ts';
import { rulesFor } from './cards/page-cards.ts';
import type { AdConfiguration, AdRule } from './configuration/ads.ts';
import { type PartnerName, withPartner } from './configuration/partners.ts';
import type { PromotionConfiguration } from './configuration/promotion.ts';

/** An item that a page promotes, in the operator's inventory. */
export interface Shown {
  readonly device: Layout;
  readonly what: string;
}

/** A page in the operator's inventory. */
interface InventoryPage {
  readonly locale: Locale;
  /** Null for a page that is no downloader page. */
  readonly module: Pick<DownloaderModule, 'productDialog'> | null;
  /** With its language. */
  readonly path: string;
  readonly offersVideos: boolean;
  readonly partner: PartnerName | undefined;
}

const devices: readonly Layout[] = ['desktop', 'mobile'];

const placeNames: Readonly<Record<AdPlace, Partial<Record<Layout, string>>>> = {
  side: { desktop: 'ad_info: side banner' },
  box: { desktop: 'recommend_info.box: box', mobile: 'recommend_info.box: bar that opens a box' },
  recommended: { desktop: 'recommend_info.recommend: footer banner' },
  newest: { desktop: 'recommend_info.new: footer banner' },
  bottom: { mobile: 'ad_mobile_info: bottom banner' },
};

/** In English, or the only text. */
const textOf = ({ text }: AdRule) => (typeof text === 'string' ? text : text.en);

function adsShown(ads: AdConfiguration, page: InventoryPage): Shown[] {
  const chosen = chooseAds(ads, page);
  return devices.flatMap((device) =>
    Object.entries(placeNames).flatMap(([place, { [device]: name }]): Shown[] => {
      const rule = chosen[place as AdPlace];
      if (rule === undefined || name === undefined) return [];
      const hosts = place === 'recommended' || place === 'newest' ? ` on ${ads.footerHosts.join(', ')}` : '';
      return [{ device, what: `${name} "${textOf(rule)}"${hosts}` }];
    }),
  );
}

function shareShown({ share }: PromotionConfiguration): Shown[] {
  if (share === null) return [];
  const names = share.networks?.map(({ id }) => id).join(', ') ?? 'those that are usual in the language';
  return devices.map((device) => ({ device, what: `share_config: share bar (${names})` }));
}

/** The cards that may appear, in any language. */
function cardsShown({ cards }: PromotionConfiguration, page: InventoryPage): Shown[] {
  const { locale, partner } = page;
  const named = (text: string) => withPartner(text, partner) ?? text;
  return rulesFor(cards, page).flatMap(({ type, title, url, devices: only = ['computer', 'ios'] }) => {
    const says = title?.en ?? title?.[locale];
    const what = named(
      `card: ${type}${says === undefined ? '' : ` "${says}"`}${url === '' ? '' : ` to ${url}`}`,
    );
    const places = only.map((device) => (device === 'computer' ? 'desktop' : 'mobile') satisfies Layout);
    return [...new Set(places)].map((device) => ({ device, what }));
  });
}

function programShown({ module }: InventoryPage): Shown[] {
  const dialog = module?.productDialog ?? null;
  if (dialog === null) return [];
  return devices.map((device) => ({ device, what: `dialog of the program "${dialog.name}"` }));
}

/** Everything that a page promotes; of its cards those that may come. */
export const shownOn = (promotion: PromotionConfiguration, page: InventoryPage): Shown[] => [
  ...adsShown(promotion.ads, page),
  ...shareShown(promotion),
  ...cardsShown(promotion, page),
  ...programShown(page),
];
