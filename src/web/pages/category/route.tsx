import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Category } from '../../../content/content.ts';
import { linkTo } from '../../addressing/addresses.ts';
import { addressesOf } from '../../addressing/page-addresses.ts';
import { localesOf } from '../../addressing/site-pages.ts';
import { Breadcrumb } from '../../articles/breadcrumb.tsx';
import { ArticleCards, ArticleRows } from '../../articles/cards/article-cards.tsx';
import { findCategory, toCards } from '../../articles/cards/cards.ts';
import { CategorySign } from '../../articles/cards/category-sign.tsx';
import {
  articlesPerPage,
  type BlogRequest,
  listPagination,
  listTopics,
  openBlogPage,
  pagedTitle,
  pageNumber,
  refusePastEnd,
  switchToFirst,
} from '../../articles/lists/blog-request.ts';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

const titles = ['category.1.head.title', 'category.2.head.title', 'category.3.head.title'] as const;

/** The page's title depends on the category's place in the configured list. */
function headTitle({ services, t }: BlogRequest, { name, slug, uid }: Category): string {
  const { listedCategories } = services.configuration;
  const place = listedCategories.findIndex((listed) => listed === slug || listed === uid);
  const key = titles[place] ?? 'category.head.title';
  return t(key, { category: name });
}

export async function loader(request: LoaderFunctionArgs) {
  const blog = openBlogPage(request, 'posts');
  const { services, address, t } = blog;
  const { content, configuration } = services;
  const { locale, variant } = address;
  const { id, number } = request.params;
  const page = pageNumber(number);
  const categories = await content.categories(locale);
  const found = findCategory(categories, ({ slug, uid }) => slug === id || uid === id);
  if (found === undefined) throw data(null, { status: 404 });
  const { category, parent, place } = found;
  const list = await content.articles({
    locale,
    list: { category: category.id },
    page,
    size: articlesPerPage,
  });
  refusePastEnd(list);
  const base = `posts/${category.slug}`;
  const addresses = addressesOf(
    configuration,
    request.url,
    page === 1 ? localesOf(configuration, 'posts') : [locale],
    page === 1 ? base : `${base}/${page}`,
  );
  const { name: domain } = configuration;
  const trail = [
    { name: t('menu.home'), href: linkTo(configuration, locale, '') },
    { name: t('front.title'), href: linkTo(configuration, locale, 'posts', variant) },
    ...(parent === null
      ? []
      : [{ name: parent.name, href: linkTo(configuration, locale, `posts/${parent.slug}`, variant) }]),
    { name: category.name, href: linkTo(configuration, locale, base, variant) },
  ];
  return {
    variant,
    addresses: switchToFirst(addresses, blog, base),
    head: {
      title: pagedTitle(blog, headTitle(blog, category), page),
      description:
        category.description || t('category.head.description', { category: category.name, domain }),
      keywords: t('category.head.keywords', { category: category.name }),
    },
    title: pagedTitle(blog, category.name, page),
    intro: category.description || t('category.count', { count: category.articles }),
    trail,
    place,
    topics: listTopics(blog, parent === null ? categories : parent.children, category),
    children: listTopics(blog, category.children, null),
    cards: toCards(list.articles, categories, { configuration, address }),
    pagination: listPagination(blog, list, base),
    labels: { topics: t('front.categories'), empty: t('category.empty'), here: t('article.breadcrumb') },
  };
}

export default function CategoryPage() {
  const page = useLoaderData<typeof loader>();
  const { labels, variant } = page;
  const site = useDocument();
  const Articles = variant ? ArticleRows : ArticleCards;
  return (
    <ProsePage
      title={page.title}
      intro={page.intro}
      variant={variant}
      className="blog"
      above={<Breadcrumb label={labels.here} trail={page.trail} />}
      below={<CategorySign place={page.place} />}
    >
      <PageHead {...page.head} structuredData={({ breadcrumbs }) => [breadcrumbs(site, page.trail)]} />
      <Topics label={labels.topics} topics={page.children.length > 0 ? page.children : page.topics} />
      {page.cards.length === 0 ? (
        <p className="blog-empty">{labels.empty}</p>
      ) : (
        <Articles cards={page.cards} level={2} />
      )}
      <PagesNav pagination={page.pagination} />
    </ProsePage>
  );
}
