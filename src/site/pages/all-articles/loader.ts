import type { LoaderFunctionArgs } from 'react-router';
import { linkTo } from '../../addressing/addresses.ts';
import { siteHas } from '../../addressing/site-pages.ts';
import { toCards } from '../../articles/cards/cards.ts';
import {
  articlesPerPage,
  listAddresses,
  listFeed,
  listPagination,
  listTopics,
  openBlogPage,
  pagedTitle,
  pageNumber,
  refusePastEnd,
} from '../../articles/lists/blog-request.ts';

const base = 'view-articles';

/** The data of one page of all articles. @throws the 404 response past the last one */
export async function loader(request: LoaderFunctionArgs) {
  const blog = openBlogPage(request, base);
  const { services, address, t } = blog;
  const { content, configuration } = services;
  const { locale } = address;
  const page = pageNumber(request.params.number);
  const [list, categories] = await Promise.all([
    content.articles({ locale, list: 'all', page, size: articlesPerPage }),
    content.categories(locale),
  ]);
  refusePastEnd(list);
  return {
    addresses: listAddresses(blog, request.url, base, page),
    head: {
      title: pagedTitle(blog, t('all.head.title'), page),
      description: t('all.head.description'),
      keywords: t('all.head.keywords'),
    },
    title: pagedTitle(blog, t('all.title'), page),
    intro: t('all.intro'),
    trail: [
      { name: t('menu.home'), href: linkTo(configuration, locale, '') },
      ...(siteHas(configuration, 'posts', locale)
        ? [{ name: t('front.title'), href: linkTo(configuration, locale, 'posts') }]
        : []),
      { name: t('all.title'), href: linkTo(configuration, locale, base) },
    ],
    topics: listTopics(blog, categories, null),
    cards: toCards(list.articles, categories, { configuration, address }),
    pagination: listPagination(blog, list, base),
    feed: listFeed(blog),
    labels: { topics: t('front.categories'), empty: t('empty'), here: t('article.breadcrumb') },
  };
}
