import type { Extra } from '../../../web/visitors/extras.ts';

/** Offers notifications. */
export default {
  isWanted: ({ push }) => push !== undefined,
  load: () => import('./start.ts'),
} satisfies Extra;
