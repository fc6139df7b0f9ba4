import { useLoaderData } from 'react-router';
import { AuthorBox } from '../../articles/author-box.tsx';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** An author, and the articles by them. */
export function AuthorPage() {
  const page = useLoaderData<typeof loader>();
  const { labels } = page;
  return (
    <ProsePage page={page} className="blog">
      <AuthorBox author={page.author} isOwnPage />
      <section aria-labelledby="articles">
        <h2 id="articles">{labels.articles}</h2>
        <ArticleCards cards={page.cards} empty={labels.empty} />
      </section>
      <PagesNav pagination={page.pagination} />
    </ProsePage>
  );
}
