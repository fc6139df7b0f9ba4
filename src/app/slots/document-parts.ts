import type { DocumentPart } from '../../site/document/document-data.ts';

/** The features' additions to the document's data, on the server. */
export const documentParts: readonly DocumentPart[] = Object.values(
  import.meta.glob<DocumentPart>('../../features/*/document-part.ts', { eager: true, import: 'default' }),
);
