import type { FastifyInstance } from 'fastify';
import type { ArticleSummary } from '../../content/content.ts';
import { refuseStandIn } from '../../content/stand-in.ts';
import { translateTo } from '../../i18n/catalogue.ts';
import { type Locale, languages } from '../../i18n/languages.ts';
import { redirect } from '../../server/http/responses/response.ts';
import { sendText } from '../../server/http/responses/send.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { createCachedTexts } from '../../server/site-files/cached-texts.ts';
import { flatCategories } from '../../server/site-files/sitemap-sources.ts';
import { xml } from '../../server/site-files/sitemap-xml.ts';
import { absolute, fileBase, linkTo } from '../../site/addressing/addresses.ts';
import { sharePicture } from '../../site/addressing/share-picture.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';

/** Articles in one feed document. */
const perPage = 50;

/** The path of a language's feed: beside its pages. */
const feedPath = ({ configuration }: ServerDependencies, locale: Locale, file: string): string =>
  fileBase(configuration, locale) + file;

/** One page of a feed; null when it does not exist. */
async function writeFeed(
  parts: ServerDependencies,
  locale: Locale,
  format: FeedFormat,
  page: number,
): Promise<string | null> {
  const { content, configuration, origin } = parts;
  const t = translateTo(locale, 'posts');
  const [list, categories, authors] = await Promise.all([
    content.articles({ locale, list: 'all', page, size: perPage }),
    content.categories(locale),
    content.authors(locale),
  ]);
  if (page > Math.max(1, list.pages)) return null;
  refuseStandIn(categories);
  const categoryNames = new Map(flatCategories(categories).map(({ id, name }) => [id, name]));
  const authorNames = new Map(authors.map(({ id, name }) => [id, name]));
  const self = origin + feedPath(parts, locale, format.file);
  const shownIn = ({ title, cover }: ArticleSummary) => ({
    title,
    name: configuration.brand,
    cover: cover?.id ?? '',
  });
  const toEntry = (article: ArticleSummary): FeedEntry => ({
    url: absolute(origin, linkTo(configuration, locale, article.slug)),
    title: article.title,
    summary: article.description,
    author: authorNames.get(article.authorId) ?? article.authorId,
    category: categoryNames.get(article.categoryId) ?? null,
    publishedAt: article.publishedAt,
    updatedAt: article.updatedAt,
    image:
      article.cover === null
        ? null
        : { url: origin + sharePicture(locale, article.slug, shownIn(article)).path },
  });
  const head = {
    title: t('feed.title', { domain: configuration.brand }),
    description: t('front.head.description'),
    lang: languages[locale].lang,
    home: absolute(
      origin,
      linkTo(configuration, locale, siteHas(configuration, 'posts', locale) ? 'posts' : ''),
    ),
    self: page === 1 ? self : `${self}?page=${page}`,
    next: page < list.pages ? `${self}?page=${page + 1}` : null,
    updatedAt: list.articles.reduce<number | null>(
      (latest, { updatedAt }) => Math.max(latest ?? 0, updatedAt),
      null,
    ),
  };
  return format.write(head, list.articles.map(toEntry));
}

/** `/feed.xml` (RSS), `/atom.xml` and `/feed.json` of each language; older articles at `?page=2` and so on. */
export function feeds(app: FastifyInstance, parts: ServerDependencies): void {
  const texts = createCachedTexts(parts.contentRevision);
  for (const locale of parts.configuration.locales)
    for (const format of feedFormats)
      app.get<{ Querystring: { page?: string } }>(
        feedPath(parts, locale, format.file),
        async (request, reply) => {
          const { page = '1' } = request.query;
          if (!/^[1-9]\d{0,4}$/.test(page)) return reply.callNotFound();
          await parts.limits.lists(request.visitor);
          const feed = await texts(`${locale} ${format.file} ${page}`, () =>
            writeFeed(parts, locale, format, Number(page)),
          );
          if (feed === null) return reply.callNotFound();
          return sendText(feed, { type: format.type, maxAgeS: 900 }, request, reply);
        },
      );
  leadFromBase(app, parts);
}

/** Under the base `/tr`, each language's feeds are at a second address, as its pages are. */
function leadFromBase(app: FastifyInstance, { configuration }: ServerDependencies): void {
  const { locales, default_locale } = configuration;
  if (!locales.includes('tr')) return;
  for (const locale of locales.filter((one) => one !== default_locale && one !== 'tr'))
    for (const { file } of feedFormats)
      app.get(`/tr/${locale}/${file}`, (request, reply) => {
        const query = /\?.*/.exec(request.url)?.[0] ?? '';
        const { status, headers } = redirect(301, fileBase(configuration, locale) + file + query);
        return reply.code(status).headers(headers).send();
      });
}

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
interface FeedFormat {
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
