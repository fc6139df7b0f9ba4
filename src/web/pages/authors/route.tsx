import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { AuthorBox, toShownAuthor } from '../../articles/author-box.tsx';
import { openBlogPage } from '../../articles/lists/blog-request.ts';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { useTranslate } from '../../translation.tsx';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

export async function loader(request: LoaderFunctionArgs) {
  const blog = openBlogPage(request, 'author');
  const { services, address, t } = blog;
  const authors = await services.content.authors(address.locale);
  return {
    head: {
      title: t('authors.head.title'),
      description: t('authors.head.description'),
      keywords: t('authors.head.keywords'),
    },
    title: t('authors.title'),
    intro: t('authors.intro'),
    authors: authors.map((author) => toShownAuthor(author, blog)),
    empty: t('empty'),
  };
}

export default function AuthorsPage() {
  const { head, title, intro, authors, empty } = useLoaderData<typeof loader>();
  const site = useDocument();
  const t = useTranslate();
  const trail = [
    { name: t('menu.home'), href: site.homePath },
    { name: title, href: site.addresses.canonical ?? site.homePath },
  ];
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
