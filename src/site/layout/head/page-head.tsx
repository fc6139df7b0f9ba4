import { languages } from '../../../i18n/languages.ts';
import { absolute } from '../../addressing/addresses.ts';
import type { SharePicture } from '../../addressing/share-picture.ts';
import { useIsFromServer } from '../../browser/mounted.ts';
import { useDocument } from '../../document/document-context.tsx';
import type { DocumentData } from '../../document/document-data.ts';
import * as vocabulary from './structured-data.ts';

type StructuredDataOf = (words: typeof vocabulary) => readonly vocabulary.StructuredData[];

export interface PageHeadProps {
  title: string;
  description: string;
  keywords?: string;
  /** The page's subject in schema.org's vocabulary; called on the server. */
  structuredData?: StructuredDataOf;
  /** `article` for what has an author and a date. */
  type?: 'website' | 'article';
  /** The page's picture for sharing; the home page's by default. */
  image?: SharePicture;
}

/** A page's own part of the document's head; React puts it there. Each page has exactly one. */
export function PageHead({ title, description, keywords, ...rest }: PageHeadProps) {
  const page = useDocument();
  const { structuredData, type = 'website', image } = rest;
  const picture = image ?? page.sharePicture;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {keywords !== undefined && <meta name="keywords" content={keywords} />}
      {page.addresses.canonical === null ? (
        <meta name="robots" content="noindex" />
      ) : (
        <AddressLinks page={page} canonical={page.addresses.canonical} />
      )}
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={page.name} />
      <meta property="og:locale" content={page.ogLocale} />
      <meta property="og:image" content={page.origin + picture.path} />
      <meta property="og:image:width" content={String(picture.width)} />
      <meta property="og:image:height" content={String(picture.height)} />
      <meta property="og:image:alt" content={picture.alt} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={page.origin + picture.path} />
      {structuredData !== undefined && <StructuredDataScript of={structuredData} title={title} />}
    </>
  );
}

/** The page's addresses by language. */
function AddressLinks({ page, canonical }: { page: DocumentData; canonical: string }) {
  const { fallback, languages: links } = page.addresses;
  const found = links.filter(({ hasPage }) => hasPage);
  return (
    <>
      <link rel="canonical" href={absolute(page.origin, canonical)} />
      <meta property="og:url" content={absolute(page.origin, canonical)} />
      {found.map(({ locale, canonical: href }) => (
        <link
          key={locale}
          rel="alternate"
          hrefLang={languages[locale].hreflang}
          href={absolute(page.origin, href)}
        />
      ))}
      {fallback !== null && (
        <link rel="alternate" hrefLang="x-default" href={absolute(page.origin, fallback)} />
      )}
    </>
  );
}

/** Only in the server's documents, which search engines read; removed when the page changes. */
function StructuredDataScript({ of, title }: { of: StructuredDataOf; title: string }) {
  const isFromServer = useIsFromServer(title);
  if (!isFromServer) return null;
  // Search engines read the server's documents, and no browser needs the words.
  const words = import.meta.env.SSR ? vocabulary : null;
  const graph = words && { '@context': 'https://schema.org', '@graph': of(words) };
  // A JSON text must not close its script element.
  const json = JSON.stringify(graph).replace(/</g, '\\u003c');
  return (
    // The browser keeps what stands there.
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own JSON, and React would escape its quotes
    <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />
  );
}
