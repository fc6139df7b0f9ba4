import { data, type LoaderFunctionArgs } from 'react-router';
import type { Category } from '../../../content/content.ts';
import { localesOf } from '../../addressing/site-pages.ts';
import { findCategory, toCards } from '../../articles/cards/cards.ts';
import {
  articlesPerPage,
  type BlogRequest,
  breadcrumbOf,
  listAddresses,
  listPagination,
  listTopics,
  openBlogPage,
  pagedTitle,
  pageNumber,
  refusePastEnd,
} from '../../articles/lists/blog-request.ts';

const titles = ['category.1.head.title', 'category.2.head.title', 'category.3.head.title'] as const;

/** The page's title depends on the category's place in the configured list. */
function headTitle({ services, t }: BlogRequest, { name, slug, uid }: Category): string {
  const {
    posts_info: { categories },
  } = services.configuration;
  const place = categories.findIndex((listed) => listed === slug || listed === uid);
  const key = titles[place] ?? 'category.head.title';
  return t(key, { category: name });
}

/** The data of one page of a category's articles. @throws the 404 response when there is none */
export async function loader(request: LoaderFunctionArgs) {
  const blog = openBlogPage(request, 'posts');
  const { services, address, t } = blog;
  const { content, configuration } = services;
  const { locale, variant } = address;
  const { id, number } = request.params;
  const page = pageNumber(number);
  const categories = await content.categories(locale);
  const found = findCategory(categories, ({ slug, uid }) => slug === id || uid === id);
  if (found === undefined) {
    services.refuseStandIn(categories);
    throw data(null, { status: 404 });
  }
  const { category, parent, place } = found;
  const list = await content.articles({
    locale,
    list: { category: category.id },
    page,
    size: articlesPerPage,
  });
  refusePastEnd(list);
  const base = `posts/${category.slug}`;
  const { brand: domain } = configuration;
  return {
    variant,
    addresses: listAddresses(blog, request.url, base, page, localesOf(configuration, 'posts')),
    head: {
      title: pagedTitle(blog, headTitle(blog, category), page),
      description:
        category.description || t('category.head.description', { category: category.name, domain }),
      keywords: t('category.head.keywords', { category: category.name }),
    },
    title: pagedTitle(blog, category.name, page),
    intro: category.description || t('category.count', { count: category.articles }),
    breadcrumb: breadcrumbOf(
      blog,
      { name: t('front.title'), page: 'posts' },
      ...(parent === null ? [] : [{ name: parent.name, page: `posts/${parent.slug}` }]),
      { name: category.name, page: base },
    ),
    place,
    topics: listTopics(blog, parent === null ? categories : parent.children, category),
    children: listTopics(blog, category.children, null),
    cards: toCards(list.articles, categories, { configuration, address }),
    pagination: listPagination(blog, list, base),
    labels: { topics: t('front.categories'), empty: t('category.empty') },
  };
}
