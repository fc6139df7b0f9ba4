import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { linkTo } from '../../addressing/addresses.ts';
import { addressesOf } from '../../addressing/page-addresses.ts';
import { localesOf } from '../../addressing/site-pages.ts';
import { AuthorBox, toShownAuthor } from '../../articles/author-box.tsx';
import { Breadcrumb } from '../../articles/breadcrumb.tsx';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { toCards } from '../../articles/cards/cards.ts';
import {
  articlesPerPage,
  listPagination,
  openBlogPage,
  pagedTitle,
  pageNumber,
  refusePastEnd,
  switchToFirst,
} from '../../articles/lists/blog-request.ts';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

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
  const addresses =
    page === 1
      ? addressesOf(configuration, request.url, localesOf(configuration, 'author'), base)
      : addressesOf(configuration, request.url, [locale], `${base}/${page}`);
  const names = { author: author.name, domain: configuration.name };
  return {
    addresses: switchToFirst(addresses, blog, base),
    head: {
      title: pagedTitle(blog, t('author.head.title', names), page),
      description: t('author.head.description', names),
      keywords: t('author.head.keywords', names),
    },
    title: author.name,
    trail: [
      { name: t('menu.home'), href: linkTo(configuration, locale, '') },
      { name: t('authors.title'), href: linkTo(configuration, locale, 'author') },
      { name: author.name, href: linkTo(configuration, locale, base) },
    ],
    author: toShownAuthor(author, blog),
    cards: toCards(list.articles, categories, { configuration, address }),
    pagination: listPagination(blog, list, base),
    labels: {
      articles: t('author.articles', names),
      empty: t('author.empty'),
      here: t('article.breadcrumb'),
    },
  };
}

export default function AuthorPage() {
  const page = useLoaderData<typeof loader>();
  const { labels } = page;
  const site = useDocument();
  return (
    <ProsePage
      title={page.title}
      variant={false}
      className="blog"
      above={<Breadcrumb label={labels.here} trail={page.trail} />}
    >
      <PageHead {...page.head} structuredData={({ breadcrumbs }) => [breadcrumbs(site, page.trail)]} />
      <AuthorBox author={page.author} isOwnPage />
      <section aria-labelledby="articles">
        <h2 id="articles">{labels.articles}</h2>
        {page.cards.length === 0 ? (
          <p className="blog-empty">{labels.empty}</p>
        ) : (
          <ArticleCards cards={page.cards} />
        )}
      </section>
      <PagesNav pagination={page.pagination} />
    </ProsePage>
  );
}
