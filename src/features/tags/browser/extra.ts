import type { Extra } from '../../../site/visitors/extras.ts';

/** Loads the tag script of the page's language, in this document or with the next one. */
export default {
  isNeeded: ({ tag }, { marketing }) => marketing && tag !== undefined,
  load: ({ tag }, { settings, consent }) =>
    // The policy of another document would not let it in.
    consent.marketing && tag?.id === settings.tag?.id ? import('./tags.ts') : import('./next-document.ts'),
} satisfies Extra;
