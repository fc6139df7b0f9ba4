import { lazy, Suspense, useEffect, useState } from 'react';
import type { DocumentData } from '../../../site/document/document-data.ts';
import type { LayoutPart } from '../../../site/layout/layout-parts.tsx';
import type { Promotion } from '../document-part.ts';
import { PlainShareBar } from '../share-bar/share-links.tsx';
import type { PromotionMount } from './mount.tsx';

/**
 * Keeps the browser's install prompt for the code that asks the visitor: the event fires once per document, at any
 * time. Self-contained, in the document's head, on sites that ask in their own words; the browser's own bundles
 * never write it.
 */
const earlyInstallScript =
  "addEventListener('beforeinstallprompt',e=>{e.preventDefault();earlyInstallPrompt=e});addEventListener('appinstalled',()=>{earlyInstallPrompt=void 0})";

/** A page's promotion: pages without any load no code for it. */
function Promoted({ promotion }: { promotion: Promotion }) {
  const [loaded, setLoaded] = useState<{ PromotionMount: typeof PromotionMount } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that cannot be had just now is asked for again with the next page
  useEffect(() => {
    if (loaded === null) void import('./mount.tsx').then(setLoaded, console.debug);
  }, [loaded, promotion]);
  return loaded !== null && <loaded.PromotionMount promotion={promotion} />;
}

const loadDesktopApp = () => import('../app-dialog/desktop-app.tsx');
/** The component on the server, which renders in one pass. */
const DesktopApp = import.meta.env.SSR ? (await loadDesktopApp()).default : lazy(loadDesktopApp);

const offersInstall = ({ promotion }: DocumentData) => promotion?.cards?.tips === true;

// React ignores elements that only the server has rendered: no script needs to know them.
export default {
  order: 10,
  places: {
    'head-end': ({ page }) =>
      import.meta.env.SSR &&
      offersInstall(page) && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
        <script dangerouslySetInnerHTML={{ __html: earlyInstallScript }} />
      ),
    'before-footer': ({ page: { promotion } }) =>
      import.meta.env.SSR &&
      promotion?.share !== undefined && (
        <noscript>
          <PlainShareBar share={promotion.share} />
        </noscript>
      ),
    'below-steps': ({ page: { desktopApp } }) =>
      desktopApp !== null && (
        <Suspense>
          <DesktopApp data={desktopApp} />
        </Suspense>
      ),
    end: ({ page: { promotion } }) => promotion !== null && <Promoted promotion={promotion} />,
  },
  scripts: (page) => (import.meta.env.SSR && offersInstall(page) ? [earlyInstallScript] : []),
} satisfies LayoutPart;
