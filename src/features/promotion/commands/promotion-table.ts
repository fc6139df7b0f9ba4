import type { Locale } from '../../../i18n/languages.ts';
import { tableText } from '../../../server/commands/print.ts';
import { linkTo } from '../../../site/addressing/addresses.ts';
import { findModule, listPages, localesOf } from '../../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { type Layout, layouts } from '../../../site/overlays/layout.ts';
import { programOf, promotionOf, withPartner } from '../configuration/promotion.ts';
import type { Item } from '../item.ts';
import { type ItemPage, itemPage, itemsAt, itemsFor, placeNames } from '../items/page-items.ts';

/** Something that some pages show in the same languages. */
export interface PromotionRow {
  readonly device: Layout;
  readonly what: string;
  /** Without a language; words in braces stand for any article, category or author. */
  readonly pages: readonly string[];
  readonly locales: readonly Locale[];
}

/** Describes an item on a device; null where it does not appear. Cards may appear in any language. */
function itemText(item: Item, device: Layout, { locale, partner }: ItemPage, hosts: string): string | null {
  const { place, type, title, href, devices: only } = withPartner(item, partner);
  const name = placeNames[place][device];
  const isHere = only?.some((one) => (one === 'computer') === (device === 'desktop')) ?? true;
  if (name === undefined || !isHere) return null;
  const says = typeof title === 'string' ? title : (title?.en ?? title?.[locale]);
  const text = says === undefined ? '' : ` "${says}"`;
  if (place === 'card') return `${name} ${type}${text}${href === '' ? '' : ` to ${href}`}`;
  return name + text + (place === 'recommended' || place === 'newest' ? ` on ${hosts}` : '');
}

/** Everything that a page promotes on a device; of its cards those that may come. */
function shownOn(configuration: SiteConfiguration, page: string, of: ItemPage, device: Layout): string[] {
  const promotion = promotionOf(configuration);
  const { share_config: share, recommend_domains } = promotion;
  const items = itemsFor(promotion, of).map((item) =>
    itemText(item, device, of, recommend_domains.join(', ')),
  );
  const networks = share?.networks?.map(({ id }) => id).join(', ') ?? 'those that are usual in the language';
  const module = findModule(configuration, page);
  const program = module === undefined ? null : programOf(module, configuration);
  return [
    ...items.filter((text) => text !== null),
    ...(share === null ? [] : [`share_config: share bar (${networks})`]),
    ...(program === null ? [] : [`dialog of the program "${program.name}"`]),
  ];
}

/** Kinds of pages of which the database knows how many there are. */
const families = ['{article}', 'posts/{category}', 'author/{id}'];

/** Every page of the configuration in each of its languages. */
function* pagesOf(configuration: SiteConfiguration) {
  for (const page of [...listPages(configuration), ...families]) {
    const locales = families.includes(page) ? configuration.locales : localesOf(configuration, page);
    for (const locale of locales) yield { page, locale, path: linkTo(configuration, locale, page) };
  }
}

/** The fields of ads that no page of the configuration shows: no path matches, or another ad comes first. */
export function unseenAds(configuration: SiteConfiguration): string[] {
  const { items } = promotionOf(configuration);
  const seen = new Set([...pagesOf(configuration)].flatMap(({ path }) => itemsAt(items, path)));
  return items.filter((item) => item.place !== 'card' && !seen.has(item)).map(({ field }) => field);
}

/** Merges rows that are alike but for one of their lists. */
function merged(rows: readonly PromotionRow[], list: 'pages' | 'locales'): PromotionRow[] {
  const found = new Map<string, PromotionRow>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, [list]: [] });
    found.set(key, { ...row, [list]: [...(found.get(key)?.[list] ?? []), ...row[list]] });
  }
  return [...found.values()];
}

/** Which page shows what, in which languages, on which device. */
export function promotionTable(configuration: SiteConfiguration): PromotionRow[] {
  const rows = [...pagesOf(configuration)].flatMap(({ page, locale, path }) => {
    const of = itemPage(configuration, { locale, page }, path);
    return layouts.flatMap((device) =>
      shownOn(configuration, page, of, device).map((what) => ({
        device,
        what,
        pages: [`/${page}`],
        locales: [locale],
      })),
    );
  });
  return merged(merged(rows, 'locales'), 'pages');
}

/** "all", "all but de, ja", or the list. */
function listText(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((one) => !some.includes(one));
  if (others.length === 0) return 'all';
  return others.length < some.length ? `all but ${others.join(', ')}` : some.join(', ');
}

/** The table for people. */
export async function promotionText(
  rows: readonly PromotionRow[],
  configuration: SiteConfiguration,
  columnsWide?: number,
): Promise<string> {
  if (rows.length === 0) return 'Nothing is promoted.';
  const pages = [...new Set([...pagesOf(configuration)].map(({ page }) => `/${page}`))];
  const lines = rows.map((row) => [
    row.device,
    row.what,
    listText(row.locales, configuration.locales),
    listText(row.pages, pages),
  ]);
  const names = ['device', 'shows', 'languages', 'pages'].map((name) => ({ name }));
  return tableText(names, lines, columnsWide);
}
