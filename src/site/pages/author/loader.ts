import { data, type LoaderFunctionArgs } from 'react-router';
import { localesOf } from '../../addressing/site-pages.ts';
import { toShownAuthor } from '../../articles/author-box.tsx';
import { toCards } from '../../articles/cards/cards.ts';
import {
  articlesPerPage,
  breadcrumbOf,
  listAddresses,
  listPagination,
  openBlogPage,
  pagedTitle,
  pageNumber,
  refusePastEnd,
} from '../../articles/lists/blog-request.ts';

/** The data of one page of an author's articles. @throws the 404 response when there is none */
export async function loader(request: LoaderFunctionArgs) {
  const blog = openBlogPage(request, 'author');
  const { services, address, t } = blog;
  const { content, configuration } = services;
  const { locale } = address;
  const { id = '', number } = request.params;
  const page = pageNumber(number);
  const [author, categories, list] = await Promise.all([
    content.author(locale, id),
    content.categories(locale),
    content.articles({ locale, list: { author: id }, page, size: articlesPerPage }),
  ]);
  if (author === null) throw data(null, { status: 404 });
  refusePastEnd(list);
  const base = `author/${author.id}`;
  const names = { author: author.name, domain: configuration.brand };
  return {
    addresses: listAddresses(blog, request.url, base, page, localesOf(configuration, 'author')),
    head: {
      title: pagedTitle(blog, t('author.head.title', names), page),
      description: t('author.head.description', names),
      keywords: t('author.head.keywords', names),
    },
    title: author.name,
    breadcrumb: breadcrumbOf(
      blog,
      { name: t('authors.title'), page: 'author' },
      { name: author.name, page: base },
    ),
    author: toShownAuthor(author, blog),
    cards: toCards(list.articles, categories, { configuration, address }),
    pagination: listPagination(blog, list, base),
    labels: { articles: t('author.articles', names), empty: t('author.empty') },
  };
}
