import type { LoaderFunctionArgs } from 'react-router';
import { linkTo } from '../../addressing/addresses.ts';
import { addressesOf } from '../../addressing/page-addresses.ts';
import { findCategory, toCards } from '../../articles/cards/cards.ts';
import { articlesPerPage, listFeed, listTopics, openBlogPage } from '../../articles/lists/blog-request.ts';

/** Number of featured articles above the new ones. */
const putForward = 3;

/** The data of the page with the newest articles. */
export async function loader(request: LoaderFunctionArgs) {
  const blog = openBlogPage(request, 'posts');
  const { services, address, t } = blog;
  const { content, configuration } = services;
  const { locale } = address;
  const [selection, categories] = await Promise.all([
    content.selection({ locale, start: 0, size: articlesPerPage + putForward }),
    content.categories(locale),
  ]);
  const context = { configuration, address };
  const wanted = request.url.searchParams.get('category');
  const chosen = findCategory(categories, ({ slug, uid }) => slug === wanted || uid === wanted)?.category;
  const isHot = selection.hot.length > 0;
  const top = (isHot ? selection.hot : selection.top).slice(0, putForward);
  const shown = new Set(top.map(({ id }) => id));
  const recent = selection.recently.filter(({ id }) => !shown.has(id)).slice(0, articlesPerPage);
  return {
    variant: address.variant,
    // A chosen category has an address of its own; other query parameters do not.
    ...(chosen !== undefined && {
      addresses: addressesOf(configuration, request.url, undefined, undefined, `?category=${wanted}`),
    }),
    head: {
      title: t('front.head.title'),
      description: t('front.head.description'),
      keywords: t('front.head.keywords'),
    },
    title: t('front.title'),
    intro: t('front.intro'),
    topics: listTopics(blog, categories, chosen ?? null),
    top: toCards(top, categories, context),
    recent: toCards(recent, categories, context),
    all: { text: t('front.all'), href: linkTo(configuration, locale, 'view-articles') },
    feed: listFeed(blog),
    labels: {
      topics: t('front.categories'),
      top: isHot ? t('front.popular') : t('front.top'),
      recent: t('front.recent'),
      empty: t('empty'),
      visited: { title: t('articles.visited'), note: t('articles.visited-note') },
    },
  };
}
