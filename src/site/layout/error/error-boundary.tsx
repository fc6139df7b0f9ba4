import { isRouteErrorResponse, useRouteError } from 'react-router';
import { RouteModuleError } from '../../browser/navigation/route-modules.ts';
import { useDocument } from '../../document/document-context.tsx';
import { pageStatus } from '../../document/page-status.ts';
import { ErrorScreen, RouteModuleErrorScreen } from './error-screen.tsx';

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
