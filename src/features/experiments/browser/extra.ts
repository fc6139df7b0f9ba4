import { firstGesture } from '../../../site/browser/later-work.ts';
import type { Extra } from '../../../site/visitors/extras.ts';

/** Puts the variants that a visitor sees into the address. */
export default {
  isNeeded: ({ experiments }) => experiments !== undefined,
  load: () => firstGesture().then(() => import('./experiments.ts')),
} satisfies Extra;
