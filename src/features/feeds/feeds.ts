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
import { absolute, fileBase, linkTo } from '../../site/addressing/addresses.ts';
import { sharePicture } from '../../site/addressing/share-picture.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import { type FeedEntry, type FeedFormat, feedFormats } from './feed-documents.ts';

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
