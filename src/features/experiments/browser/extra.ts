import { firstGesture } from '../../../site/browser/first-gesture.ts';
import type { Extra } from '../../../site/visitors/extras.ts';

/** Puts the variants that a visitor sees into the address. */
export default {
  isNeeded: ({ experiments }) => experiments !== undefined,
  load: () => firstGesture().then(() => import('./experiments.ts')),
} satisfies Extra;
