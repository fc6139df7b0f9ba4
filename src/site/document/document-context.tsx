import { createContext, useContext } from 'react';
import type { DocumentData } from './document-data.ts';

const DocumentContext = createContext<DocumentData | null>(null);

/** Set by the layout, with the addresses that the page itself knows best. */
export const DocumentProvider = DocumentContext.Provider;

/** The layout's data of the present page. */
export function useDocument(): DocumentData {
  const page = useContext(DocumentContext);
  if (page === null) throw new Error('A component that needs the document stands outside DocumentProvider');
  return page;
}
