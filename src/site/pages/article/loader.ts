import { data } from 'react-router';
import type { Article, ArticleSummary } from '../../../content/content.ts';
import { languages } from '../../../i18n/languages.ts';
import { type Address, linkTo } from '../../addressing/addresses.ts';
import { addressesOf, type PageAddresses } from '../../addressing/page-addresses.ts';
import { sharePicture } from '../../addressing/share-picture.ts';
import { siteHas } from '../../addressing/site-pages.ts';
import { toShownAuthor } from '../../articles/author-box.tsx';
import { findCategory, toCards } from '../../articles/cards/cards.ts';
import { showDate } from '../../articles/cards/dates.ts';
import { breadcrumbOf, withTranslate } from '../../articles/lists/blog-request.ts';
import { translateFor } from '../../loaders/page-context.ts';
import type { SiteServices } from '../../loaders/services.ts';

/** Number of articles offered below one. */
const relatedArticles = 3;

/** An article's address in each language; a language may use another slug. */
function articleAddresses(
  services: SiteServices,
  url: URL,
  slug: string,
  translations: readonly { readonly locale: string; readonly slug: string }[],
): PageAddresses {
  const { configuration } = services;
  const slugs = new Map(translations.map((one) => [one.locale, one.slug]));
  const found = configuration.locales.filter((locale) => slugs.has(locale));
  const addresses = addressesOf(configuration, url, found, slug);
  const fallback = slugs.get(configuration.default_locale);
  return {
    ...addresses,
    fallback: fallback === undefined ? null : linkTo(configuration, configuration.default_locale, fallback),
    languages: addresses.languages.map((language) => {
      const own = slugs.get(language.locale);
      if (own === undefined) return language;
      const href = linkTo(configuration, language.locale, own);
      return { ...language, href, canonical: href };
    }),
  };
}

/** Articles of the same category, filled up with the newest of others. */
async function readNext({ content }: SiteServices, article: Article): Promise<readonly ArticleSummary[]> {
  const related = await content.related(article, relatedArticles);
  if (related.length === relatedArticles) return related;
  const { locale } = article;
  const { recently } = await content.selection({ locale, start: 0, size: 2 * relatedArticles + 1 });
  const shown = new Set([article.id, ...related.map(({ id }) => id)]);
  return [...related, ...recently.filter(({ id }) => !shown.has(id))].slice(0, relatedArticles);
}

/** The data of an article's page. @throws the 404 response when the language has no article at the address */
export async function loadArticlePage(services: SiteServices, address: Address, url: URL) {
  const { content, configuration } = services;
  const { locale } = address;
  const article = await content.article(locale, address.page);
  if (article === null) throw data(null, { status: 404 });
  const blog = withTranslate({ services, address });
  const { t } = blog;
  const tShare = translateFor(blog, 'share');
  const [text, author, categories, related, translations] = await Promise.all([
    services.contentRenderer.article(article),
    content.author(locale, article.authorId),
    content.categories(locale),
    readNext(services, article),
    content.translations(article.key),
  ]);
  const category = findCategory(categories, ({ id }) => id === article.categoryId)?.category;
  const updated = showDate(article.updatedAt, locale);
  const published = showDate(article.publishedAt, locale);
  return {
    kind: 'article' as const,
    addresses: articleAddresses(services, url, article.slug, translations),
    id: article.id,
    lang: languages[locale].lang,
    href: linkTo(configuration, locale, article.slug),
    head: { title: article.title, description: article.description, keywords: article.keywords },
    title: article.title,
    intro: article.description,
    cover: article.cover,
    sharePicture: sharePicture(locale, article.slug, {
      title: article.title,
      name: configuration.brand,
      cover: article.cover?.id ?? '',
    }),
    published,
    updated:
      updated.text === published.text
        ? null
        : { ...updated, text: t('article.updated', { date: updated.text }) },
    modified: updated.iso,
    minutes: t('article.minutes', { minutes: text.minutes }),
    breadcrumb: breadcrumbOf(
      blog,
      { name: t('front.title'), page: 'posts' },
      ...(category === undefined ? [] : [{ name: category.name, page: `posts/${category.slug}` }]),
      { name: article.title, page: article.slug },
    ),
    section: category?.name ?? null,
    author: author === null ? null : toShownAuthor(author, blog),
    nodes: text.nodes,
    headings: text.headings,
    downloaders: ['', ...configuration.index_modules.keys()]
      .filter((page) => siteHas(configuration, page, locale))
      .map((page) => linkTo(configuration, locale, page)),
    related: toCards(related, categories, { configuration, address }),
    labels: {
      by: author === null ? '' : t('article.by', { author: author.name }),
      contents: t('article.contents'),
      related: t('article.related'),
      author: t('article.author'),
      share: tShare('share.sheet'),
      copied: tShare('share.copied'),
      shareRefused: tShare('share.refused'),
      visited: { title: t('articles.visited'), note: t('articles.visited-note') },
    },
  };
}

export type ArticlePageData = Awaited<ReturnType<typeof loadArticlePage>>;
