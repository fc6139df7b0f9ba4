import { useLoaderData } from 'react-router';
import { ArticleCards } from '../../articles/cards/article-cards.tsx';
import { CategorySign } from '../../articles/cards/category-sign.tsx';
import { PagesNav } from '../../articles/lists/pages-nav.tsx';
import { Topics } from '../../articles/lists/topics.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** A category's articles. */
export function CategoryPage() {
  const page = useLoaderData<typeof loader>();
  const { labels } = page;
  return (
    <ProsePage page={page} className="blog" below={<CategorySign place={page.place} />}>
      <Topics label={labels.topics} topics={page.children.length > 0 ? page.children : page.topics} />
      <ArticleCards cards={page.cards} empty={labels.empty} level={2} isPlain={page.variant} />
      <PagesNav pagination={page.pagination} />
    </ProsePage>
  );
}
