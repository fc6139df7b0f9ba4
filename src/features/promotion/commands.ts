import { dirname } from 'node:path';
import type { Locale } from '../../i18n/languages.ts';
import { readEnvironment } from '../../process/environment.ts';
import { type CommandTools, fromCaller } from '../../server/commands/declaration.ts';
import { printError, printJson, printText, tableText, terminalColumns } from '../../server/commands/print.ts';
import { siteFindings } from '../../server/commands/site-findings.ts';
import { withDatabase, withPictures } from '../../server/commands/stores.ts';
import { openOwnSite } from '../../server/own-site/own-site.ts';
import { linkTo } from '../../site/addressing/addresses.ts';
import { findModule, listPages, localesOf } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { type Layout, layouts } from '../../site/overlays/layout.ts';
import { programOf, promotionOf, withPartner } from './configuration/promotion.ts';
import type { Item } from './item.ts';
import { type ItemPage, itemPage, itemsAt, itemsFor, placeNames } from './items/page-items.ts';
import {
  keepPromotedPicture,
  pictureProblems,
  readPictureSource,
  referencedPictures,
} from './pictures/promoted-pictures.ts';

/** Something that some pages show in the same languages. */
interface PromotionRow {
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
function unseenAds(configuration: SiteConfiguration): string[] {
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
function promotionTable(configuration: SiteConfiguration): PromotionRow[] {
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
async function promotionText(
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

/** Reads the pictures that a configuration names, one after the other; `read` is null for one that cannot be had. */
async function findPictures(configuration: SiteConfiguration, file: string) {
  const found = [];
  for (const wanted of referencedPictures(promotionOf(configuration).items, configuration.locales)) {
    const of = { source: wanted.source, fields: wanted.items.map(({ field }) => field) };
    try {
      const read = await readPictureSource(wanted.source, dirname(file));
      const { width, height } = read;
      const picture = { ...of, width, height, problems: pictureProblems(wanted, read) };
      found.push({ ...wanted, read, picture });
    } catch (error) {
      found.push({ ...wanted, read: null, picture: { ...of, problems: [(error as Error).message] } });
    }
  }
  return found;
}

type FoundPictures = Awaited<ReturnType<typeof findPictures>>;

function printProblems(found: FoundPictures): void {
  for (const { source, fields, problems } of found.map(({ picture }) => picture))
    for (const problem of problems) printError(`${source} ${problem} (${fields.join(', ')})`);
}

interface Call {
  readonly file: string | undefined;
  readonly json: boolean;
}

const fileOf = ({ file }: Call): string =>
  file === undefined ? readEnvironment(process.env).SITE_CONFIG : fromCaller(file);

/**
 * Checks a site configuration and the site's folder, and shows what pages promote.
 * @returns 1 when a picture of it is wrong, or a text of the folder has no place
 */
export async function checkSite(call: Call, { readConfiguration }: CommandTools): Promise<number> {
  const file = fileOf(call);
  const configuration = await readConfiguration(file);
  const { SITE_DIR, SITE_ORIGIN } = readEnvironment(process.env);
  const origin = SITE_ORIGIN ?? `https://${configuration.domain}`;
  const { leftOut, gaps } = await openOwnSite(SITE_DIR, configuration.locales);
  const missing = siteFindings(configuration, origin);
  const found = await findPictures(configuration, file);
  const rows = promotionTable(configuration);
  const unseen = unseenAds(configuration);
  const picturesAreRight = found.every(({ picture }) => picture.problems.length === 0);
  const isRight = picturesAreRight && leftOut.length === 0;
  if (call.json)
    printJson({
      shown: rows,
      unseen,
      pictures: found.map(({ picture }) => picture),
      missing: missing.map(({ of, what, todo }) => ({ field: of, what, todo })),
      leftOut: leftOut.map(({ of, what }) => ({ file: of, what })),
      gaps: gaps.map(({ of, what }) => ({ file: of, what })),
    });
  else {
    printText(await promotionText(rows, configuration, terminalColumns()));
    for (const field of unseen) printText(`${field} is on none of these pages; perhaps on an article.`);
    printProblems(found);
    for (const { what, todo } of missing) printError(`${what} -> ${todo}`);
    for (const { of, what } of [...leftOut, ...gaps]) printError(`${of}: ${what}`);
    printText(
      `${file} is right${picturesAreRight ? '' : ', but for its pictures'}; ${found.length} picture(s).`,
    );
  }
  return isRight ? 0 : 1;
}

/** Makes the pictures that a site configuration names. @returns 1 when one of them could not be made */
export async function makeSitePictures(call: Call, { readConfiguration }: CommandTools): Promise<number> {
  const file = fileOf(call);
  const found = await findPictures(await readConfiguration(file), file);
  const made: { source: string; result: string }[] = [];
  await withDatabase((database, environment) =>
    withPictures(database, environment, async (pictures) => {
      for (const { source, items, read, picture } of found) {
        if (read === null || picture.problems.length > 0) continue;
        const widths = items.map(({ size }) => size.width);
        const result = await keepPromotedPicture(database.query, pictures, source, read, widths);
        made.push({ source, result });
      }
    }),
  );
  if (call.json) printJson({ made, pictures: found.map(({ picture }) => picture) });
  else {
    for (const { source, result } of made) printText(`${source}: ${result}`);
    printProblems(found);
  }
  return made.length === found.length ? 0 : 1;
}
