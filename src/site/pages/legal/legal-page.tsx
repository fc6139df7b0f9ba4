import { useLoaderData } from 'react-router';
import { usePageTrail } from '../../articles/breadcrumb.tsx';
import { Contents } from '../../articles/contents.tsx';
import { RichTextBody } from '../../articles/rich-text.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { PageHead } from '../../layout/head/page-head.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** A legal document, with its contents beside it. */
export function LegalPage() {
  const page = useLoaderData<typeof loader>();
  const site = useDocument();
  const trail = usePageTrail(page.title);
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
