import type { ComponentType } from 'react';
import { AllArticlesPage } from './all-articles/all-articles-page.tsx';
import { ApiPage } from './api/api-page.tsx';
import { ArticlePage } from './article/article-page.tsx';
import { AuthorPage } from './author/author-page.tsx';
import { AuthorsPage } from './authors/authors-page.tsx';
import { CategoryPage } from './category/category-page.tsx';
import { LegalPage } from './legal/legal-page.tsx';
import { FormPage } from './message-form/form-page.tsx';
import { SiteMapPage } from './pagelink/site-map-page.tsx';
import { PostsPage } from './posts/posts-page.tsx';

const views = {
  'all-articles': AllArticlesPage,
  api: ApiPage,
  article: ArticlePage,
  author: AuthorPage,
  authors: AuthorsPage,
  category: CategoryPage,
  form: FormPage,
  legal: LegalPage,
  posts: PostsPage,
  'site-map': SiteMapPage,
} satisfies Readonly<Record<string, ComponentType>>;

export interface ViewProps {
  readonly of: keyof typeof views;
}

/** A page to read or to fill in. It shows the data of the route in which it stands. */
export function View({ of }: ViewProps) {
  const Shown = views[of];
  return <Shown />;
}
