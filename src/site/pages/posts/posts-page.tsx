import { Link, useLoaderData } from 'react-router';
import { usePageTrail } from '../../articles/breadcrumb.tsx';
import { ArticleCards, ArticleRows } from '../../articles/cards/article-cards.tsx';
import { FeedLink } from '../../articles/lists/feed-link.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { VisitedArticles } from '../../articles/visited-articles.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** The newest articles, below the featured ones. */
export function PostsPage() {
  const page = useLoaderData<typeof loader>();
  const { labels, variant } = page;
  const site = useDocument();
  const trail = usePageTrail(page.title);
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
