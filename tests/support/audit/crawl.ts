/** A page of the site as a crawler sees it. */
export interface CrawledPage {
  /** Path and query. */
  readonly path: string;
  readonly html: string;
}

export interface Crawl {
  readonly pages: ReadonlyMap<string, CrawledPage>;
  /** Problems with links, one line each. */
  readonly problems: readonly string[];
}

interface FoundLink {
  readonly from: string;
  readonly target: string;
}

const parallel = 4;

const decode = (attribute: string) =>
  attribute.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x27;', "'");

/** The links of a page to this site, as path, query and fragment. */
function linksOf({ path, html }: CrawledPage, origin: string, publicOrigin: string): string[] {
  const found: string[] = [];
  for (const [, attribute = ''] of html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
    const url = new URL(decode(attribute), origin + path);
    if (url.origin !== origin && url.origin !== publicOrigin) continue;
    // The language switcher leads through the visitor's choice to the page.
    const behind = url.pathname === '/cookie_set' ? url.searchParams.get('to') : null;
    found.push(behind ?? url.pathname + url.search + url.hash);
  }
  return found;
}

const hasTarget = (html: string, id: string) =>
  html.includes(`id="${id}"`) || html.includes(`id="${decodeURIComponent(id)}"`);

/**
 * Reads every page reachable by links from some paths, and follows every link.
 * @param origin where the product listens
 * @param publicOrigin its public origin
 * @param isWanted excludes expensive links, such as an example that would be resolved
 */
export async function crawl(
  origin: string,
  publicOrigin: string,
  starts: readonly string[],
  isWanted: (path: string) => boolean,
): Promise<Crawl> {
  const pages = new Map<string, CrawledPage>();
  const problems: string[] = [];
  const requested = new Set<string>();
  const waiting: FoundLink[] = starts.map((target) => ({ from: '(start)', target }));
  const fragments: FoundLink[] = [];

  async function visit({ from, target }: FoundLink): Promise<void> {
    const response = await fetch(origin + target, { headers: { accept: 'text/html' } });
    const body = await response.text();
    if (!response.ok) problems.push(`${from}: ${target} answers ${response.status}`);
    if (response.headers.get('content-type')?.startsWith('text/html') !== true || !response.ok) return;
    if (new URL(response.url).origin !== origin) problems.push(`${from}: ${target} leads off the site`);
    if (response.redirected) problems.push(`${from}: ${target} is redirected to ${response.url}`);
    const page = { path: target, html: body };
    pages.set(target, page);
    for (const link of linksOf(page, origin, publicOrigin)) {
      const [path = '', fragment] = link.split('#');
      if (!isWanted(path)) continue;
      waiting.push({ from: target, target: path });
      if (fragment !== undefined && fragment !== '') fragments.push({ from: target, target: link });
    }
  }

  while (waiting.length > 0) {
    const next: FoundLink[] = [];
    while (next.length < parallel && waiting.length > 0) {
      const link = waiting.pop();
      if (link === undefined || requested.has(link.target)) continue;
      requested.add(link.target);
      next.push(link);
    }
    await Promise.all(next.map(visit));
  }
  for (const { from, target } of fragments) {
    const [path = '', fragment = ''] = target.split('#');
    const page = pages.get(path);
    if (page !== undefined && !hasTarget(page.html, fragment))
      problems.push(`${from}: ${target} is not on the page`);
  }
  return { pages, problems };
}
