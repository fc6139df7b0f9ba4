import type { ReactNode } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Outlet,
  redirect,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import { parseAddress } from './addresses.ts';
import { type DocumentData, loadDocument } from './document.ts';
import { ErrorScreen, LastResort } from './layout/error-screen.tsx';
import { Footer } from './layout/footer.tsx';
import { Header } from './layout/header.tsx';
import { servicesContext } from './load-context.ts';
import { TextsProvider, useTranslate } from './texts.tsx';
import './ui/styles.css';

export function loader({ url, context }: LoaderFunctionArgs): DocumentData {
  const services = context.get(servicesContext);
  const { redirect: target } = parseAddress(url.pathname, services.configuration);
  if (target !== undefined) throw redirect(target + url.search, 301);
  return loadDocument(services, url, new Date().getFullYear());
}

/** The layout depends on the address alone. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname;
}

/** The document around pages and error screens alike. */
export function Layout({ children }: { children: ReactNode }) {
  const page = useRouteLoaderData<typeof loader>('root');
  return (
    <html lang={page?.lang ?? 'en'} dir={page?.direction ?? 'ltr'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#0b3c49" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#08262e" media="(prefers-color-scheme: dark)" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {page !== undefined && <AddressLinks page={page} />}
        <Links />
      </head>
      <body>
        {page === undefined ? (
          children
        ) : (
          <TextsProvider locale={page.locale} messages={page.messages}>
            <Frame page={page}>{children}</Frame>
          </TextsProvider>
        )}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** Where this page is found, in which languages. */
function AddressLinks({ page }: { page: DocumentData }) {
  if (page.canonicalPath === null) return null;
  return (
    <>
      <link rel="canonical" href={page.origin + page.canonicalPath} />
      {page.languages.map((language) => (
        <link
          key={language.locale}
          rel="alternate"
          hrefLang={language.hreflang}
          href={page.origin + language.href}
        />
      ))}
      <link rel="alternate" hrefLang="x-default" href={page.origin + page.defaultPath} />
    </>
  );
}

function Frame({ page, children }: { page: DocumentData; children: ReactNode }) {
  const t = useTranslate();
  return (
    <>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <Header domain={page.domain} homePath={page.homePath} menu={page.menu} languages={page.languages} />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer domain={page.domain} year={page.year} footer={page.footer} languages={page.languages} />
    </>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const page = useRouteLoaderData<typeof loader>('root');
  if (page === undefined) return <LastResort />;
  return <ErrorScreen status={isRouteErrorResponse(error) ? error.status : 500} homePath={page.homePath} />;
}
