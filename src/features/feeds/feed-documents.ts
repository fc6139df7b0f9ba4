import { xml } from '../../server/site-files/sitemap-xml.ts';

/** An article as an entry of a feed. */
export interface FeedEntry {
  /** Absolute; also names the entry for good. */
  readonly url: string;
  readonly title: string;
  readonly summary: string;
  readonly author: string;
  readonly category: string | null;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly image: { readonly url: string } | null;
}

/** A feed's metadata. All addresses are absolute. */
export interface FeedHead {
  readonly title: string;
  readonly description: string;
  /** BCP 47. */
  readonly lang: string;
  /** The page that shows the same. */
  readonly home: string;
  /** The feed's own address. */
  readonly self: string;
  /** The feed with the entries before these, in time (RFC 5005, section 3). */
  readonly next: string | null;
  /** Change of the newest entry; null for an empty feed. */
  readonly updatedAt: number | null;
}

/** One feed format. */
export interface FeedFormat {
  readonly file: string;
  readonly type: string;
  write(head: FeedHead, entries: readonly FeedEntry[]): string;
}

const iso = (time: number): string => new Date(time).toISOString();

/** RSS 2.0, with Atom's links to itself and to what came before. */
const rss: FeedFormat = {
  file: 'feed.xml',
  type: 'application/rss+xml; charset=utf-8',
  write(head, entries) {
    const link = (rel: string, href: string) =>
      `<atom:link rel="${rel}" type="application/rss+xml" href="${xml(href)}"/>\n`;
    const items = entries.map(
      (entry) => `<item>
<title>${xml(entry.title)}</title>
<link>${xml(entry.url)}</link>
<guid isPermaLink="true">${xml(entry.url)}</guid>
<pubDate>${new Date(entry.publishedAt).toUTCString()}</pubDate>
<dc:creator>${xml(entry.author)}</dc:creator>
${entry.category === null ? '' : `<category>${xml(entry.category)}</category>\n`}<description>${xml(entry.summary)}</description>
</item>
`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${xml(head.title)}</title>
<link>${xml(head.home)}</link>
<description>${xml(head.description)}</description>
<language>${xml(head.lang)}</language>
${head.updatedAt === null ? '' : `<lastBuildDate>${new Date(head.updatedAt).toUTCString()}</lastBuildDate>\n`}${link('self', head.self)}${head.next === null ? '' : link('next', head.next)}${items.join('')}</channel>
</rss>
`;
  },
};

/** Atom (RFC 4287). */
const atom: FeedFormat = {
  file: 'atom.xml',
  type: 'application/atom+xml; charset=utf-8',
  write(head, entries) {
    const next = head.next === null ? '' : `<link rel="next" href="${xml(head.next)}"/>\n`;
    const written = entries.map(
      (entry) => `<entry>
<title>${xml(entry.title)}</title>
<id>${xml(entry.url)}</id>
<link rel="alternate" href="${xml(entry.url)}"/>
<published>${iso(entry.publishedAt)}</published>
<updated>${iso(entry.updatedAt)}</updated>
<author><name>${xml(entry.author)}</name></author>
${entry.category === null ? '' : `<category term="${xml(entry.category)}"/>\n`}<summary>${xml(entry.summary)}</summary>
</entry>
`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(head.lang)}">
<title>${xml(head.title)}</title>
<subtitle>${xml(head.description)}</subtitle>
<id>${xml(head.self)}</id>
<updated>${iso(head.updatedAt ?? 0)}</updated>
<link rel="self" href="${xml(head.self)}"/>
<link rel="alternate" href="${xml(head.home)}"/>
${next}${written.join('')}</feed>
`;
  },
};

/** JSON Feed 1.1 (jsonfeed.org). */
const json: FeedFormat = {
  file: 'feed.json',
  type: 'application/feed+json; charset=utf-8',
  write: (head, entries) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: head.title,
      description: head.description,
      language: head.lang,
      home_page_url: head.home,
      feed_url: head.self,
      ...(head.next !== null && { next_url: head.next }),
      items: entries.map((entry) => ({
        id: entry.url,
        url: entry.url,
        title: entry.title,
        summary: entry.summary,
        content_text: entry.summary,
        ...(entry.image !== null && { image: entry.image.url }),
        date_published: iso(entry.publishedAt),
        date_modified: iso(entry.updatedAt),
        authors: [{ name: entry.author }],
        ...(entry.category !== null && { tags: [entry.category] }),
      })),
    }),
};

/** Every form in which the articles of a language can be followed. */
export const feedFormats: readonly FeedFormat[] = [rss, atom, json];
