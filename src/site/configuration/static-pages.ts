/**
 * The pages of every site besides its home and downloader pages, by their address without language. `posts` and
 * `author` also have pages below them.
 */
export const staticPages = [
  '404',
  'about',
  'api',
  'author',
  'contact',
  'cookies-policy',
  'dmca',
  'legal-disclaimer',
  'pagelink',
  'posts',
  'privacy-policy',
  'terms-of-use',
  'view-articles',
] as const;

export type StaticPage = (typeof staticPages)[number];

/** Second names: the same page, found for good under its first name. */
const otherNames: Readonly<Record<string, StaticPage>> = {
  'error-404': '404',
  'term-of-use': 'terms-of-use',
};

/** Suffix of an address that shows a page's second layout. */
const variantEnding = '-new1';

const pagesWithVariant: ReadonlySet<string> = new Set<StaticPage>([
  'contact',
  'cookies-policy',
  'dmca',
  'legal-disclaimer',
  'posts',
  'privacy-policy',
  'terms-of-use',
]);

/** A page as it is known everywhere but in addresses: head, keys and canonical link are those of `page`. */
export interface NamedPage {
  readonly page: string;
  /** True for the second layout. */
  readonly variant: boolean;
}

/** Parses the part after the language: second names and `-new1` give the page that they show. */
export function namePage(written: string): NamedPage {
  if (Object.hasOwn(otherNames, written)) return { page: otherNames[written] ?? written, variant: false };
  const [first = '', ...below] = written.split('/');
  const base = first.slice(0, -variantEnding.length);
  const variant = first.endsWith(variantEnding) && pagesWithVariant.has(base);
  if (!variant || (below.length > 0 && base !== 'posts')) return { page: written, variant: false };
  return { page: [base, ...below].join('/'), variant: true };
}

/** The inverse: the address, without language, of a page's second layout; the page's own when it has none. */
export function variantAddress(page: string): string {
  const [first = '', ...below] = page.split('/');
  if (!pagesWithVariant.has(first) || (below.length > 0 && first !== 'posts')) return page;
  return [first + variantEnding, ...below].join('/');
}

/** Whether a name of one segment is taken by a static page of every site under one of its names. */
export function isStaticPage(name: string): name is StaticPage {
  return (staticPages as readonly string[]).includes(namePage(name).page);
}
