import { useLoaderData } from 'react-router';
import { Breadcrumb } from '../../articles/breadcrumb.tsx';
import { ArticleCards, ArticleRows } from '../../articles/cards/article-cards.tsx';
import { CategorySign } from '../../articles/cards/category-sign.tsx';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** A category's articles. */
export function CategoryPage() {
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
