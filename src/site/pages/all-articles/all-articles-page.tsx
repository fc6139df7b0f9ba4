import { useLoaderData } from 'react-router';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { FeedLink } from '../../articles/lists/feed-link.tsx';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** All articles, the newest first. */
export function AllArticlesPage() {
  const page = useLoaderData<typeof loader>();
  return (
    <ProsePage page={page} className="blog">
      <Topics label={page.labels.topics} topics={page.topics} />
      <ArticleCards cards={page.cards} empty={page.labels.empty} level={2} />
      <PagesNav pagination={page.pagination} />
      <p className="blog-more">
        <FeedLink {...page.feed} />
      </p>
    </ProsePage>
  );
}
