import type { Locale } from '../../../i18n/languages.ts';
import { linkTo } from '../../../web/addressing/addresses.ts';
import { findModule, listPages, localesOf, offersVideos } from '../../../web/addressing/site-pages.ts';
import { tableText } from '../../../web/commands/table.ts';
import type { SiteConfiguration } from '../../../web/configuration/configuration.ts';
import { partnerOf } from '../cards/page-cards.ts';
import { type Shown, shownOn } from '../inventory.ts';

/** Something that some pages show in the same languages. */
export interface PromotionRow extends Shown {
  /** Without a language; words in braces stand for any article, category or author. */
  readonly pages: readonly string[];
  readonly locales: readonly Locale[];
}

/** Kinds of pages of which the database knows how many there are. */
const families = ['{article}', 'posts/{category}', 'author/{id}'];

/** Every page of the configuration in each of its languages. */
function* pagesOf(configuration: SiteConfiguration) {
  for (const page of [...listPages(configuration), ...families]) {
    const locales = families.includes(page) ? configuration.locales : localesOf(configuration, page);
    for (const locale of locales)
      yield { page: `/${page}`, locale, path: linkTo(configuration, locale, page) };
  }
}

/** The paths of all pages, with their languages. */
export const pathsOf = (configuration: SiteConfiguration): string[] =>
  [...pagesOf(configuration)].map(({ path }) => path);

/** Which page shows what, in which languages, on which device. */
export function promotionTable(configuration: SiteConfiguration): PromotionRow[] {
  const things = new Map<string, { readonly shown: Shown; readonly pages: Map<string, Locale[]> }>();
  for (const { page, locale, path } of pagesOf(configuration)) {
    const name = page.slice(1);
    const module = findModule(configuration, name) ?? null;
    const asked = {
      locale,
      path,
      module,
      offersVideos: offersVideos(configuration, name),
      partner: partnerOf(configuration, name),
    };
    for (const shown of shownOn(configuration.promotion, asked)) {
      const key = `${shown.device} ${shown.what}`;
      const thing = things.get(key) ?? { shown, pages: new Map<string, Locale[]>() };
      things.set(key, thing);
      thing.pages.set(page, [...(thing.pages.get(page) ?? []), locale]);
    }
  }
  return [...things.values()].flatMap(({ shown, pages }) => {
    const byLocales = Map.groupBy(pages, ([, locales]) => locales.join());
    return [...byLocales.values()].map((same) => ({
      ...shown,
      pages: same.map(([page]) => page),
      locales: same[0]?.[1] ?? [],
    }));
  });
}

/** "all", "all but de, ja", or the list. */
function listText(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((one) => !some.includes(one));
  if (others.length === 0) return 'all';
  return others.length < some.length ? `all but ${others.join(', ')}` : some.join(', ');
}

/** The table for people, with what pages are left that show nothing. */
export async function promotionText(
  rows: readonly PromotionRow[],
  configuration: SiteConfiguration,
  columnsWide?: number,
): Promise<string> {
  const pages = [...new Set([...pagesOf(configuration)].map(({ page }) => page))];
  const bare = pages.filter((page) => !rows.some((row) => row.pages.includes(page)));
  const lines = rows.map((row) => [
    row.device,
    row.what,
    listText(row.locales, configuration.locales),
    listText(row.pages, pages),
  ]);
  if (rows.length === 0) return 'Nothing is promoted.';
  const names = ['device', 'shows', 'languages', 'pages'].map((name) => ({ name }));
  const table = await tableText(names, lines, columnsWide);
  return bare.length === 0 ? table : `${table}\nNothing is promoted on ${listText(bare, pages)}.`;
}
