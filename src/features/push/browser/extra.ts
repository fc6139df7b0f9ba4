import type { Extra } from '../../../site/visitors/extras.ts';

/** Offers notifications. */
export default {
  isNeeded: ({ push }) => push !== undefined,
  load: () => import('./start.ts'),
} satisfies Extra;
