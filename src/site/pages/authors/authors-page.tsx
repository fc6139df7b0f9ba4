import { useLoaderData } from 'react-router';
import { AuthorBox } from '../../articles/author-box.tsx';
import { usePageTrail } from '../../articles/breadcrumb.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** Everyone who wrote an article. */
export function AuthorsPage() {
  const { head, title, intro, authors, empty } = useLoaderData<typeof loader>();
  const site = useDocument();
  const trail = usePageTrail(title);
  return (
    <ProsePage title={title} intro={intro} variant={false} className="blog">
      <PageHead {...head} structuredData={({ breadcrumbs }) => [breadcrumbs(site, trail)]} />
      {authors.length === 0 && <p className="blog-empty">{empty}</p>}
      {authors.map((author) => (
        <AuthorBox key={author.href ?? author.name} author={author} level={2} />
      ))}
    </ProsePage>
  );
}
