import { useLayoutEffect, useRef } from 'react';
import { Scripts, ScrollRestoration, useLocation, useNavigationType } from 'react-router';
import { themeScript } from '../../browser/device/theme.ts';
import { useIsFromServer } from '../../browser/mounted.ts';

/** Puts the visitor's colours into effect before anything is drawn. */
export function ThemeScript() {
  if (!useIsFromServer()) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script dangerouslySetInnerHTML={{ __html: themeScript }} />;
}

/** Has new pages begin at their top. Where Back leads to is left to the browser. */
function TopOfNewPages() {
  const { key } = useLocation();
  const isNew = useNavigationType() === 'PUSH';
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    if (isNew && location.hash === '') scrollTo(0, 0);
  }, [key, isNew]);
  return null;
}

/**
 * The router's own, which brings a script. Where the browser makes the document anew, as it does on the way to and from
 * the error screen of the whole page, it could not be made.
 */
export function ScrollMemory() {
  return useIsFromServer() ? <ScrollRestoration /> : <TopOfNewPages />;
}

/**
 * The router's own. It leaves them out by itself once it has taken the document over, but not where it cannot and makes
 * it anew, as for a document that a translator or an extension has rewritten.
 */
export function DocumentScripts() {
  return useIsFromServer() ? <Scripts /> : null;
}
