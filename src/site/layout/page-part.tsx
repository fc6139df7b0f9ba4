import { createContext, type ReactElement, type ReactNode, useContext } from 'react';
import type { DocumentData } from '../document.ts';
import { TextsProvider } from '../texts.tsx';

/** The markup of an element that depends on nothing but the document's data, kept from page to page. */
export type KeepMarkup = (page: DocumentData, name: string, part: ReactElement) => string;

const KeepContext = createContext<KeepMarkup | null>(null);

/** Set around the document on the server only. */
export const KeepProvider = KeepContext.Provider;

interface PagePartProps {
  as: 'header' | 'footer';
  page: DocumentData;
  children: ReactNode;
}

/**
 * The top or the end of a page: two thirds of its elements, which are the same for each request to an address. The
 * server renders them once and puts them in as they are; the browser takes them over like everything else.
 */
export function PagePart({ as: Tag, page, children }: PagePartProps) {
  const keep = useContext(KeepContext);
  if (keep === null) return <Tag className={Tag}>{children}</Tag>;
  const part = (
    <TextsProvider locale={page.locale} messages={page.messages}>
      {children}
    </TextsProvider>
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: what React has written
  return <Tag className={Tag} dangerouslySetInnerHTML={{ __html: keep(page, Tag, part) }} />;
}
