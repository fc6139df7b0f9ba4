import { useLayoutEffect, useRef } from 'react';
import { Scripts, ScrollRestoration, useLocation, useNavigationType } from 'react-router';
import { themeScript } from '../../browser/device/theme.ts';
import { useIsFromServer } from '../../browser/mounted.ts';

/** Applies the visitor's colour theme before the first paint. */
export function ThemeScript() {
  if (!useIsFromServer()) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script dangerouslySetInnerHTML={{ __html: themeScript }} />;
}

/** Scrolls new pages to their top. Back and Forward are left to the browser. */
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
 * The router's component, which renders a script. When the browser rebuilds the document, as it does for the error
 * screen of the whole page and after it, it could not be created.
 */
export function ScrollMemory() {
  return useIsFromServer() ? <ScrollRestoration /> : <TopOfNewPages />;
}

/**
 * The router's component. It removes them by itself after hydration, but not when it rebuilds the document instead, as
 * for one that a translator or an extension has rewritten.
 */
export function DocumentScripts() {
  return useIsFromServer() ? <Scripts /> : null;
}
