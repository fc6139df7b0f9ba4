import { Link, useLoaderData } from 'react-router';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { FeedLink } from '../../articles/lists/feed-link.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { VisitedArticles } from '../../articles/visited-articles.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** The newest articles, below the featured ones. */
export function PostsPage() {
  const page = useLoaderData<typeof loader>();
  const { labels, variant } = page;
  const isEmpty = page.top.length + page.recent.length === 0;
  return (
    <ProsePage page={page} className="blog">
      <Topics label={labels.topics} topics={page.topics} />
      {isEmpty && <p className="blog-empty">{labels.empty}</p>}
      {page.top.length > 0 && (
        <section aria-labelledby="top">
          <h2 id="top">{labels.top}</h2>
          <ArticleCards cards={page.top} isPlain={variant} />
        </section>
      )}
      {page.recent.length > 0 && (
        <section aria-labelledby="recent">
          <h2 id="recent">{labels.recent}</h2>
          <ArticleCards cards={page.recent} isPlain={variant} />
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
