import { createContext } from 'react';
import type * as structuredData from './structured-data.ts';

/** What pages say in schema.org's words. */
export type Vocabulary = typeof structuredData;

/** Set around the document on the server only: search engines read its documents, and no browser needs the words. */
export const VocabularyContext = createContext<Vocabulary | null>(null);
