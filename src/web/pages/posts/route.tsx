import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { fileBase, linkTo } from '../../addressing/addresses.ts';
import { addressesOf } from '../../addressing/page-addresses.ts';
import { ArticleCards, ArticleRows } from '../../articles/cards/article-cards.tsx';
import { findCategory, toCards } from '../../articles/cards/cards.ts';
import { articlesPerPage, listTopics, openBlogPage } from '../../articles/lists/blog-request.ts';
import { FeedLink } from '../../articles/lists/feed-link.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { VisitedArticles } from '../../articles/visited-articles.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { useTranslate } from '../../translation.tsx';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

/** Articles that are put forward above the new ones. */
const putForward = 3;

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
    // With a category chosen it is a place of its own, with anything else in the query not.
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
    feed: {
      text: t('feed.rss'),
      title: t('feed.title', { domain: configuration.name }),
      base: fileBase(configuration, locale),
    },
    labels: {
      topics: t('front.categories'),
      top: isHot ? t('front.popular') : t('front.top'),
      recent: t('front.recent'),
      empty: t('empty'),
      visited: { title: t('articles.visited'), note: t('articles.visited-note') },
    },
  };
}

export default function PostsPage() {
  const page = useLoaderData<typeof loader>();
  const { labels, variant } = page;
  const site = useDocument();
  const t = useTranslate();
  const trail = [
    { name: t('menu.home'), href: site.homePath },
    { name: page.title, href: site.addresses.canonical ?? site.homePath },
  ];
  const Articles = variant ? ArticleRows : ArticleCards;
  const isEmpty = page.top.length + page.recent.length === 0;
  return (
    <ProsePage title={page.title} intro={page.intro} variant={variant} className="blog">
      <PageHead {...page.head} structuredData={({ breadcrumbs }) => [breadcrumbs(site, trail)]} />
      <Topics label={labels.topics} topics={page.topics} />
      {isEmpty && <p className="blog-empty">{labels.empty}</p>}
      {page.top.length > 0 && (
        <section aria-labelledby="top">
          <h2 id="top">{labels.top}</h2>
          <Articles cards={page.top} />
        </section>
      )}
      {page.recent.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent">{labels.recent}</h2>
          <Articles cards={page.recent} />
        </section>
      )}
      <p className="blog-more">
        <Link className="button button-plain" to={page.all.href}>
          {page.all.text}
        </Link>
        <FeedLink {...page.feed} />
      </p>
      <VisitedArticles {...labels.visited} />
    </ProsePage>
  );
}
