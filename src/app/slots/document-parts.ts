import type { DocumentPart } from '../../web/document/document-data.ts';

/** What features add to the data of the document, on the server. */
export const documentParts: readonly DocumentPart[] = Object.values(
  import.meta.glob<DocumentPart>('../../features/*/document-part.ts', { eager: true, import: 'default' }),
);
