import type { Extra } from '../../../site/visitors/extras.ts';

/** Takes files that are dropped on any page. Nothing is loaded before something is held above it. */
export default {
  isNeeded: () => false,
  hurry: (callback) => addEventListener('dragenter', callback),
  load: () => import('./dropped-files.ts'),
} satisfies Extra;
