import type { CrawledPage } from './crawl.ts';

interface Alternate {
  readonly hreflang: string;
  readonly href: string;
}

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** The canonical address of a page; null when it has none. */
function canonicalOf(html: string): string | null {
  const tag = /<link\s[^>]*rel="canonical"[^>]*>/i.exec(html)?.[0];
  return tag === undefined ? null : attribute(tag, 'href');
}

function alternatesOf(html: string): Alternate[] {
  return [...html.matchAll(/<link\s[^>]*rel="alternate"[^>]*>/gi)]
    .map(([tag]) => ({ hreflang: attribute(tag, 'hreflang'), href: attribute(tag, 'href') }))
    .filter(({ hreflang }) => hreflang !== '');
}

/**
 * Compares the language alternates of all pages: a page names itself and the default, and every page that it names has
 * the same alternates.
 * @returns one line for each mistake
 */
export function checkAlternates(pages: Iterable<CrawledPage>): string[] {
  const problems: string[] = [];
  const byCanonical = new Map<string, { path: string; alternates: string }>();
  const known: { path: string; canonical: string; alternates: Alternate[] }[] = [];
  const written = (alternates: Alternate[]) =>
    alternates
      .map(({ hreflang, href }) => `${hreflang} ${href}`)
      .sort()
      .join('\n');
  for (const { path, html } of pages) {
    const canonical = canonicalOf(html);
    const alternates = alternatesOf(html);
    if (canonical === null) {
      problems.push(`${path}: no canonical address`);
      continue;
    }
    if (!alternates.some(({ href, hreflang }) => href === canonical && hreflang !== 'x-default'))
      problems.push(`${path}: does not name itself among its languages`);
    const isInDefault = alternates.some(({ hreflang }) => hreflang === 'en');
    if (isInDefault && !alternates.some(({ hreflang }) => hreflang === 'x-default'))
      problems.push(`${path}: no x-default`);
    const before = byCanonical.get(canonical);
    if (before !== undefined && before.alternates !== written(alternates))
      problems.push(`${path}: other alternates than ${before.path}, which is the same page`);
    byCanonical.set(canonical, { path, alternates: written(alternates) });
    known.push({ path, canonical, alternates });
  }
  for (const { path, alternates } of known)
    for (const { href, hreflang } of alternates) {
      const other = byCanonical.get(href);
      if (other === undefined)
        problems.push(`${path}: its ${hreflang} alternate ${href} is no page that was found`);
      else if (other.alternates !== written(alternates))
        problems.push(`${path}: its ${hreflang} alternate ${href} does not answer in kind`);
    }
  return problems;
}
