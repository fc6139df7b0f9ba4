import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { createTranslate } from '../../../i18n/translate.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ProsePage } from '../../layout/prose-page.tsx';
import { openStaticPage } from '../../page-request.ts';

export function loader(request: LoaderFunctionArgs) {
  const { services, address } = openStaticPage(request, 'author');
  const t = createTranslate<'posts'>(address.locale, services.messages(address.locale, 'posts'));
  return {
    variant: address.variant,
    head: {
      title: t('authors.head.title'),
      description: t('authors.head.description'),
      keywords: t('authors.head.keywords'),
    },
    title: t('authors.title'),
    intro: t('authors.intro'),
    empty: t('empty'),
  };
}

export default function AuthorsPage() {
  const { head, title, intro, empty, variant } = useLoaderData<typeof loader>();
  return (
    <ProsePage title={title} intro={intro} variant={variant}>
      <PageHead {...head} />
      <p>{empty}</p>
    </ProsePage>
  );
}
