import { useLoaderData } from 'react-router';
import { AuthorBox } from '../../articles/author-box.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** Everyone who wrote an article. */
export function AuthorsPage() {
  const page = useLoaderData<typeof loader>();
  const { authors, empty } = page;
  return (
    <ProsePage page={page} className="blog">
      {authors.length === 0 && <p className="blog-empty">{empty}</p>}
      {authors.map((author) => (
        <AuthorBox key={author.href ?? author.name} author={author} level={2} />
      ))}
    </ProsePage>
  );
}
