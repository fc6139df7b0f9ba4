import { onFirstError } from '../../../site/browser/early-errors.ts';
import { isSavingData } from '../../../site/browser/navigation/prefetch.ts';
import type { Extra } from '../../../site/visitors/extras.ts';

/** Reports errors. */
export default {
  // Visitors who save data load it only when there is something to report.
  isNeeded: ({ monitoring }) => monitoring !== undefined && !isSavingData(),
  hurry: onFirstError,
  load: () => import('./client.ts'),
} satisfies Extra;
