import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { isLocale, languages } from '../../../i18n/languages.ts';
import { showDate } from '../../articles/cards/dates.ts';
import { Contents } from '../../articles/contents.tsx';
import { RichTextBody } from '../../articles/rich-text.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import { openStaticPage, translateFor } from '../../loaders/page-context.ts';
import { useTranslate } from '../../translation.tsx';

export { ErrorBoundary } from '../../layout/error/error-boundary.tsx';

const documents = ['about', 'cookies-policy', 'legal-disclaimer', 'privacy-policy', 'terms-of-use'] as const;

export async function loader(request: LoaderFunctionArgs) {
  const context = openStaticPage(request, ...documents);
  const { services, address } = context;
  const name = documents.find((document) => document === address.page);
  if (name === undefined) throw data(null, { status: 404 });
  const { locale } = address;
  const t = translateFor(context, 'legal');
  const { text, ...legal } = await services.contentRenderer.legal(name, locale);
  const isTranslated = legal.locale === locale;
  return {
    isAbout: name === 'about',
    variant: address.variant,
    head: {
      title: t(`${name}.head.title`),
      description: t(`${name}.head.description`),
      keywords: t(`${name}.head.keywords`),
    },
    title: t(`${name}.title`),
    intro: t(`${name}.head.description`),
    updated: t('updated', { date: showDate(Date.parse(legal.updated), locale).text }),
    notice: isTranslated ? null : t('untranslated'),
    lang: isTranslated || !isLocale(legal.locale) ? undefined : languages[legal.locale].lang,
    contents: t('contents'),
    headings: text.headings,
    nodes: text.nodes,
  };
}

export default function LegalPage() {
  const page = useLoaderData<typeof loader>();
  const site = useDocument();
  const t = useTranslate();
  const trail = [
    { name: t('menu.home'), href: site.homePath },
    { name: page.title, href: site.addresses.canonical ?? site.homePath },
  ];
  return (
    <ProsePage title={page.title} intro={page.intro} variant={page.variant}>
      <PageHead
        {...page.head}
        structuredData={({ aboutPage, breadcrumbs }) => [
          breadcrumbs(site, trail),
          ...(page.isAbout ? [aboutPage(site, { ...page.head, href: trail[1]?.href ?? site.homePath })] : []),
        ]}
      />
      <p className="legal-updated">{page.updated}</p>
      {page.notice !== null && <p role="note">{page.notice}</p>}
      <div className="reading">
        <Contents title={page.contents} headings={page.headings} lang={page.lang} />
        <RichTextBody nodes={page.nodes} lang={page.lang} />
      </div>
    </ProsePage>
  );
}
