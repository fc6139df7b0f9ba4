import type { Locale } from '../../../i18n/languages.ts';
import { linkTo } from '../../../web/addressing/addresses.ts';
import { findModule, listPages, localesOf, offersVideos } from '../../../web/addressing/site-pages.ts';
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

/** The promotions by page, language and device. */
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

/** A table as text: each column as wide as its widest cell. @param rows the first one is the head */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

/** The table for people, including pages without promotion. */
export function tableText(rows: readonly PromotionRow[], configuration: SiteConfiguration): string {
  const pages = [...new Set([...pagesOf(configuration)].map(({ page }) => page))];
  const bare = pages.filter((page) => !rows.some((row) => row.pages.includes(page)));
  const lines = rows.map((row) => [
    row.device,
    row.what,
    listText(row.locales, configuration.locales),
    listText(row.pages, pages),
  ]);
  const table = columns([['device', 'shows', 'languages', 'pages'], ...lines]);
  if (rows.length === 0) return 'Nothing is promoted.';
  return bare.length === 0 ? table : `${table}\nNothing is promoted on ${listText(bare, pages)}.`;
}
