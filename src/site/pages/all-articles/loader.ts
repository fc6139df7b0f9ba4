import type { LoaderFunctionArgs } from 'react-router';
import { toCards } from '../../articles/cards/cards.ts';
import {
  articlesPerPage,
  breadcrumbOf,
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
    breadcrumb: breadcrumbOf(
      blog,
      { name: t('front.title'), page: 'posts' },
      { name: t('all.title'), page: base },
    ),
    topics: listTopics(blog, categories, null),
    cards: toCards(list.articles, categories, { configuration, address }),
    pagination: listPagination(blog, list, base),
    feed: listFeed(blog),
    labels: { topics: t('front.categories'), empty: t('empty') },
  };
}
