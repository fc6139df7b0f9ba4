import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** One address of a sitemap. */
export interface SitemapEntry {
  /** Path on this site. */
  readonly path: string;
  /** The page in each language that has it, including the entry's own. */
  readonly alternates: readonly { readonly hreflang: string; readonly path: string }[];
  /** Milliseconds since 1970, where it is known. */
  readonly changedAt?: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML 1.0 forbids (section 2.2)
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for XML; characters that XML cannot contain are removed. */
export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbidden, '')
    .replace(/[&<>"']/g, (sign) => escapes[sign] ?? '');

/** An address as XML text; what an address may not hold is percent-encoded first (RFC 3986). */
const address = (origin: string, path: string) => xml(new URL(path, origin).href);

/**
 * An index of sitemaps (sitemaps.org, protocol 0.9).
 * @param paths of the parts
 */
export function sitemapIndex(origin: string, paths: readonly string[]): string {
  const parts = paths.map((path) => `<sitemap><loc>${address(origin, path)}</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${parts.join('')}</sitemapindex>\n`;
}

/** Addresses written before the event loop continues: with all their alternates they take some milliseconds. */
const chunkLength = 25;

/** A sitemap, piece by piece: each address with its alternates in other languages. */
export async function* sitemapPart(
  origin: string,
  entries: AsyncIterable<SitemapEntry> | Iterable<SitemapEntry>,
): AsyncGenerator<string> {
  let text =
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n';
  let count = 0;
  for await (const { path, alternates, changedAt } of entries) {
    const links = alternates.map(
      (one) => `<xhtml:link rel="alternate" hreflang="${one.hreflang}" href="${address(origin, one.path)}"/>`,
    );
    const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    text += `<url><loc>${address(origin, path)}</loc>${changed}${links.join('')}</url>\n`;
    count += 1;
    if (count % chunkLength > 0) continue;
    yield text;
    text = '';
    await yieldToEventLoop();
  }
  yield `${text}</urlset>\n`;
}
