import { onFirstError } from '../../../web/browser/early-errors.ts';
import { isSavingData } from '../../../web/browser/navigation/prefetch.ts';
import type { Extra } from '../../../web/visitors/extras.ts';

/** Reports errors. */
export default {
  // Whoever saves data loads it when there is something to report.
  isWanted: ({ monitoring }) => monitoring !== undefined && !isSavingData(),
  hurry: onFirstError,
  load: () => import('./client.ts'),
} satisfies Extra;
