import { firstGesture } from '../../../web/browser/first-gesture.ts';
import type { Extra } from '../../../web/visitors/extras.ts';

/** Puts the variants that a visitor sees into the address. */
export default {
  isNeeded: ({ experiments }) => experiments !== undefined,
  load: () => firstGesture().then(() => import('./experiments.ts')),
} satisfies Extra;
