import type { Extra } from '../../../site/visitors/extras.ts';

/** Counts what visitors do who agreed to it. */
export default {
  isNeeded: (settings, { statistics }) => settings.statistics !== undefined && statistics,
  load: () => import('./start.ts'),
} satisfies Extra;
