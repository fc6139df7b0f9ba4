import { useLoaderData } from 'react-router';
import { AuthorBox } from '../../articles/author-box.tsx';
import { Breadcrumb } from '../../articles/breadcrumb.tsx';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** An author, and the articles by them. */
export function AuthorPage() {
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
