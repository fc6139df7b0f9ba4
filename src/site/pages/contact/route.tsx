import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { createTranslate } from '../../../i18n/translate.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ProsePage } from '../../layout/prose-page.tsx';
import { openStaticPage } from '../../page-request.ts';

export function loader(request: LoaderFunctionArgs) {
  const { services, address } = openStaticPage(request, 'contact');
  const t = createTranslate<'contact'>(address.locale, services.messages(address.locale, 'contact'));
  return {
    variant: address.variant,
    head: { title: t('head.title'), description: t('head.description'), keywords: t('head.keywords') },
    title: t('title'),
    intro: t('intro'),
  };
}

export default function ContactPage() {
  const { head, title, intro, variant } = useLoaderData<typeof loader>();
  return (
    <ProsePage title={title} intro={intro} variant={variant}>
      <PageHead {...head} />
    </ProsePage>
  );
}
