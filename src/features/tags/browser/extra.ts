import type { Extra } from '../../../web/visitors/extras.ts';

/** Loads the tag script of the page's language. */
export default {
  // The policy of another document would not let it in.
  isNeeded: ({ tag }, { marketing }, { settings, consent }) =>
    marketing && consent.marketing && tag !== undefined && tag.id === settings.tag?.id,
  load: () => import('./tags.ts'),
} satisfies Extra;
