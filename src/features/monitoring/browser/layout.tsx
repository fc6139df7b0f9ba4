import { earlyErrorsScript } from '../../../site/browser/early-errors.ts';
import { useIsFromServer } from '../../../site/browser/mounted.ts';
import type { LayoutPart } from '../../../site/layout/layout-parts.tsx';

/** Records errors from the first moment on. React hydrates the script without changing it. */
function EarlyErrorsScript() {
  if (!useIsFromServer()) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: earlyErrorsScript }} />;
}

export default {
  order: 0,
  places: {
    'head-start': ({ page: { visitors } }) => visitors?.monitoring !== undefined && <EarlyErrorsScript />,
  },
  scripts: ({ visitors }) => (visitors?.monitoring === undefined ? [] : [earlyErrorsScript]),
} satisfies LayoutPart;
