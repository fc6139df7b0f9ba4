import { useLoaderData } from 'react-router';
import { Breadcrumb } from '../../articles/breadcrumb.tsx';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { FeedLink } from '../../articles/lists/feed-link.tsx';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** All articles, the newest first. */
export function AllArticlesPage() {
  const page = useLoaderData<typeof loader>();
  const site = useDocument();
  return (
    <ProsePage
      title={page.title}
      intro={page.intro}
      variant={false}
      className="blog"
      above={<Breadcrumb label={page.labels.here} trail={page.trail} />}
    >
      <PageHead {...page.head} structuredData={({ breadcrumbs }) => [breadcrumbs(site, page.trail)]} />
      <Topics label={page.labels.topics} topics={page.topics} />
      {page.cards.length === 0 ? (
        <p className="blog-empty">{page.labels.empty}</p>
      ) : (
        <ArticleCards cards={page.cards} level={2} />
      )}
      <PagesNav pagination={page.pagination} />
      <p className="blog-more">
        <FeedLink {...page.feed} />
      </p>
    </ProsePage>
  );
}
