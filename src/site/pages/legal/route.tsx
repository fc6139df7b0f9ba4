import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { createTranslate } from '../../../i18n/translate.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { ProsePage } from '../../layout/prose-page.tsx';
import { openStaticPage } from '../../page-request.ts';

const documents = ['cookies-policy', 'legal-disclaimer', 'privacy-policy', 'terms-of-use'] as const;

export function loader(request: LoaderFunctionArgs) {
  const { services, address } = openStaticPage(request, ...documents);
  const name = documents.find((document) => document === address.page);
  if (name === undefined) throw data(null, { status: 404 });
  const t = createTranslate<'legal'>(address.locale, services.messages(address.locale, 'legal'));
  return {
    variant: address.variant,
    head: {
      title: t(`${name}.head.title`),
      description: t(`${name}.head.description`),
      keywords: t(`${name}.head.keywords`),
    },
    title: t(`${name}.title`),
  };
}

export default function LegalPage() {
  const { head, title, variant } = useLoaderData<typeof loader>();
  return (
    <ProsePage title={title} intro={head.description} variant={variant}>
      <PageHead {...head} />
    </ProsePage>
  );
}
