import type { Extra } from '../../../site/visitors/extras.ts';

/** Takes files that are dropped on any page. Nothing is loaded before one is held above it. */
export default {
  isNeeded: () => false,
  hurry: (callback) =>
    addEventListener('dragenter', ({ dataTransfer }) => dataTransfer?.types.includes('Files') && callback()),
  load: () => import('./dropped-files.ts'),
} satisfies Extra;
