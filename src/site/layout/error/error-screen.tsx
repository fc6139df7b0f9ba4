import type { ReactNode } from 'react';
import { isRouteErrorResponse, Link, useLocation, useRouteError } from 'react-router';
import { RouteModuleError } from '../../browser/navigation/route-modules.ts';
import { useDocument } from '../../document/document-context.tsx';
import type { SiteLink } from '../../document/document-data.ts';
import { pageStatus, useRequestId } from '../../document/request-id.tsx';
import { useTranslate } from '../../translation.tsx';
import { Button } from '../../ui/controls.tsx';
import { LinkForm } from '../link-form.tsx';
import { errorPictureBox, errorPictureShapes } from './error-picture-shapes.ts';

/**
 * The error screen of a page. Every page exports it: when an action fails, React Router loads no data for the route of
 * the boundary, and the frame around the page needs its own.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  const { homePath, posts } = useDocument();
  if (error instanceof RouteModuleError) return <RouteModuleErrorScreen error={error} />;
  const status = isRouteErrorResponse(error) ? pageStatus(error.status) : 500;
  // Below 500 the router puts its own texts there.
  const isOwn = isRouteErrorResponse(error) && status >= 500 && typeof error.data === 'string';
  return (
    <ErrorScreen status={status} message={isOwn ? error.data : null} homePath={homePath} guides={posts} />
  );
}

/** The site's boat, adrift: for pages that are not there. */
function ErrorPicture() {
  return (
    <svg className="error-picture" viewBox={errorPictureBox} aria-hidden="true" focusable="false">
      {errorPictureShapes.map(({ element: Element, name, attributes }) => (
        <Element key={name} className={`error-picture-${name}`} {...attributes} />
      ))}
    </svg>
  );
}

interface ScreenProps {
  /** The document's title, when it differs from the heading. */
  documentTitle?: string;
  title: string;
  text: string;
  /** The document's description, when it differs from the text. */
  description?: string;
  status?: number;
  children: ReactNode;
}

function Screen({ documentTitle, title, text, description, status, children }: ScreenProps) {
  return (
    <div className="container error-screen">
      <title>{documentTitle ?? title}</title>
      <meta name="description" content={description ?? text} />
      <meta name="robots" content="noindex" />
      <ErrorPicture />
      {status !== undefined && <p className="error-status">{status}</p>}
      <h1>{title}</h1>
      <p className="error-text">{text}</p>
      {children}
    </div>
  );
}

interface ErrorScreenProps {
  status: number;
  homePath: string;
  /** Link to the guides; null when the site has none. */
  guides: Pick<SiteLink, 'href' | 'text'> | null;
  /** Replaces the usual text. */
  message?: string | null;
}

/** The screen that replaces a failed page. It never names the internal cause. */
function ErrorScreen({ status, homePath, guides, message = null }: ErrorScreenProps) {
  const t = useTranslate();
  const { pathname } = useLocation();
  const requestId = useRequestId();
  const kind = status === 404 ? 'not-found' : status >= 500 ? 'server' : 'other';
  const isPost = status === 404 && /\/posts(?:-new1)?\/./.test(pathname);
  const title = t(isPost ? 'error.post.title' : `error.${kind}.title`);
  return (
    <Screen
      documentTitle={status === 404 ? '404' : title}
      title={title}
      description={t(`error.${kind}.text`)}
      text={message ?? t(`error.${kind}.text`)}
      status={status}
    >
      <LinkForm action={homePath} />
      <p className="error-ways">
        <Link className="button button-plain" to={homePath}>
          <span>{t('error.home')}</span>
        </Link>
        {status === 404 && guides !== null && (
          <Link className="button button-plain" to={guides.href}>
            <span>{guides.text}</span>
          </Link>
        )}
      </p>
      {status >= 500 && requestId !== null && (
        <p className="error-request">
          {t('error.request', { id: '' })}
          <code data-request-id="">{requestId}</code>
        </p>
      )}
    </Screen>
  );
}

/** The screen for a page whose code did not load, not even with the whole document. */
function RouteModuleErrorScreen({ error }: { error: RouteModuleError }) {
  const t = useTranslate();
  return (
    <Screen title={t('error.code.title')} text={t('error.code.text')}>
      <Button strength="action" onClick={() => location.reload()}>
        {t('error.code.reload')}
      </Button>
      <p className="error-request">
        <code data-error-type={error.type}>{error.message}</code>
      </p>
    </Screen>
  );
}
