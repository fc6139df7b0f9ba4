import { type ReactNode, useEffect, useMemo } from 'react';
import {
  Links,
  type LoaderFunctionArgs,
  Outlet,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from 'react-router';
import { parseAddress } from '../site/addressing/addresses.ts';
import type { PageAddresses } from '../site/addressing/page-addresses.ts';
import { useFocusOnPageChange, useRevealedTarget } from '../site/browser/focus.ts';
import { guardNavigation, useFailedNavigation } from '../site/browser/navigation/guarded-navigation.ts';
import { carryLink } from '../site/document/carried-link.ts';
import { DocumentProvider } from '../site/document/document-context.tsx';
import { type DocumentData, loadDocument } from '../site/document/document-data.ts';
import { ErrorBoundary as PageErrorBoundary } from '../site/layout/error/error-screen.tsx';
import { Footer } from '../site/layout/footer.tsx';
import { DocumentScripts, ScrollMemory, ThemeScript } from '../site/layout/head/document-scripts.tsx';
import { Header, NavigationProgress } from '../site/layout/header/header.tsx';
import { LayoutParts, LayoutPartsContext } from '../site/layout/layout-parts.tsx';
import { servicesContext } from '../site/loaders/page-context.ts';
import { loadResultParts } from '../site/pages/tool/result/result-parts.tsx';
import { loadSeveralLinks } from '../site/pages/tool/state/several-links.tsx';
import { sharedText } from '../site/pages/tool/state/tool-response.ts';
import { TranslationProvider, useTranslate } from '../site/translation.tsx';
import styles from '../site/ui/styles.css?url';
import { showPage } from '../site/visitors/present-page.ts';
import { noSettings } from '../site/visitors/settings.ts';
import { documentParts } from './slots/document-parts.ts';
import { startExtras } from './slots/extras.ts';
import { layoutParts } from './slots/layout-parts.ts';

export function loader({ url, context }: LoaderFunctionArgs): DocumentData {
  const services = context.get(servicesContext);
  const { redirect: target } = parseAddress(url.pathname, services.configuration);
  if (target !== undefined) throw redirect(target + url.search, 301);
  return loadDocument(services, url, new Date().getFullYear(), documentParts);
}

// The server writes a result in one go.
if (import.meta.env.SSR) await Promise.all([loadResultParts(), loadSeveralLinks()]);

export const clientMiddleware = [guardNavigation];

/** The layout depends only on the address. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname;
}

/** The document around pages and error screens. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <LayoutPartsContext value={layoutParts}>
      <Document>{children}</Document>
    </LayoutPartsContext>
  );
}

function Document({ children }: { children: ReactNode }) {
  const page = usePage();
  return (
    // The theme's script has set an attribute before React sees the document.
    <html
      lang={page?.lang ?? 'en'}
      dir={page?.direction ?? 'ltr'}
      data-typeface={page?.typeface.name}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        {page !== undefined && <LayoutParts place="head-start" page={page} />}
        <ThemeScript />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#0b3c49" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#08262e" media="(prefers-color-scheme: dark)" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href={page?.manifest ?? '/manifest.webmanifest'} />
        {page !== undefined && (
          <link rel="preload" href={page.typeface.href} as="font" type="font/woff2" crossOrigin="anonymous" />
        )}
        {/* Blocks rendering until the named element is parsed (Chromium): on a slow phone, a half-shown page would
            shift when its rest arrives. */}
        {page !== undefined && <link rel="expect" href="#site-footer" {...{ blocking: 'render' }} />}
        {/* It has a precedence like all later style sheets, which are then inserted after it. Inserted before it, they
            would make Chromium recalculate all styles and switch the headings' typeface after the first paint. */}
        <link rel="stylesheet" href={styles} precedence="default" />
        {page?.accent !== undefined && (
          // In no layer, so it replaces what the style sheet says. The policy knows its hash.
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made of two checked colours
          <style dangerouslySetInnerHTML={{ __html: page.accent }} />
        )}
        {page?.preconnect.map((origin) => (
          <link key={origin} rel="preconnect" href={origin} />
        ))}
        <Links />
        {page !== undefined && <LayoutParts place="head-end" page={page} />}
      </head>
      <body>
        {page === undefined ? (
          children
        ) : (
          <TranslationProvider locale={page.locale} messages={page.messages}>
            <DocumentProvider value={page}>
              <Frame page={page}>{children}</Frame>
            </DocumentProvider>
          </TranslationProvider>
        )}
        <ScrollMemory />
        <DocumentScripts />
      </body>
    </html>
  );
}

const useLayoutData = () => useRouteLoaderData<DocumentData>('root');

/** Data of the layout, overridden by the page's own loader and address. */
function usePage(): DocumentData | undefined {
  const page = useLayoutData();
  const { search } = useLocation();
  const own = useMatches().at(-1)?.loaderData as OwnData | null | undefined;
  const addresses = own?.addresses;
  const isTool = own?.kind === 'tool';
  return useMemo(() => {
    if (page === undefined) return page;
    const parameters = new URLSearchParams(search);
    if (isTool && sharedText(parameters) !== null) return carryLink(page, parameters);
    return addresses === undefined ? page : { ...page, addresses };
  }, [page, addresses, isTool, search]);
}

/** Data that a page's loader may provide. */
interface OwnData {
  readonly kind?: string;
  readonly addresses?: PageAddresses;
}

function Frame({ page, children }: { page: DocumentData; children: ReactNode }) {
  const t = useTranslate();
  useRevealedTarget();
  const main = useFocusOnPageChange();
  const settings = page.visitors ?? noSettings;
  useEffect(() => startExtras(settings), [settings]);
  useEffect(() => {
    if (page.presentPage !== null) showPage(page.presentPage);
  }, [page.presentPage]);
  return (
    <>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <NavigationProgress />
      <Header page={page} />
      <LayoutParts place="below-header" page={page} />
      <main ref={main} id="content" tabIndex={-1}>
        {children}
      </main>
      <LayoutParts place="before-footer" page={page} />
      <Footer page={page} />
      <LayoutParts place="end" page={page} />
    </>
  );
}

export default function Root() {
  const failure = useFailedNavigation();
  if (failure !== null) throw failure;
  return <Outlet />;
}

export function ErrorBoundary() {
  return useLayoutData() === undefined ? <WholePage /> : <PageErrorBoundary />;
}

/** Without the layout no error can be shown here: the document is reloaded, and the server reports the error. */
function WholePage() {
  useEffect(() => location.reload(), []);
  return null;
}
