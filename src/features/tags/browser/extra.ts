import type { Extra } from '../../../site/visitors/extras.ts';

/** Loads the tag script of the page's language, in this document or with the next one. */
export default {
  isNeeded: ({ tag }, { marketing }) => marketing && tag !== undefined,
  async load({ tag }, { settings, consent }) {
    // The policy of another document would not let it in.
    const isLetIn = consent.marketing && tag?.id === settings.tag?.id;
    const { startHere, startWithNextDocument } = await import('./tags.ts');
    return { start: isLetIn ? startHere : startWithNextDocument };
  },
} satisfies Extra;
