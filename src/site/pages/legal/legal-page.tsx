import { useLoaderData } from 'react-router';
import { Contents } from '../../articles/contents.tsx';
import { RichTextBody } from '../../articles/rich-text.tsx';
import { useDocument } from '../../document/document-context.tsx';
import { ProsePage } from '../../layout/prose/prose-page.tsx';
import type { loader } from './loader.ts';

/** A legal document, with its contents beside it. */
export function LegalPage() {
  const page = useLoaderData<typeof loader>();
  const site = useDocument();
  return (
    <ProsePage
      page={page}
      structuredData={({ aboutPage }) =>
        page.isAbout
          ? [aboutPage(site, { ...page.head, href: site.addresses.canonical ?? site.homePath })]
          : []
      }
    >
      <p className="legal-updated">{page.updated}</p>
      {page.notice !== null && <p role="note">{page.notice}</p>}
      <div className="reading">
        <Contents title={page.contents} headings={page.headings} lang={page.lang} />
        <RichTextBody nodes={page.nodes} lang={page.lang} />
      </div>
    </ProsePage>
  );
}
