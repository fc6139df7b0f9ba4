import { createContext } from 'react';
import type * as structuredData from './structured-data.ts';

/** The schema.org items that pages use. */
export type Vocabulary = typeof structuredData;

/** Set around the document on the server only: search engines read its documents, and no browser needs the words. */
export const VocabularyContext = createContext<Vocabulary | null>(null);
