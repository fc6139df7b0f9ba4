import type { LoaderFunctionArgs } from 'react-router';
import { toShownAuthor } from '../../articles/author-box.tsx';
import { openBlogPage } from '../../articles/lists/blog-request.ts';

/** The data of the page of all authors. */
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
