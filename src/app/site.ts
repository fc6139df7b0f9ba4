/**
 * The pages as the server asks them: what the build begins with. It is built with them, since a context of React Router
 * is found by its identity.
 */

import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, type ServerBuild } from 'react-router';
import type { ShownDesk } from '../web/desk/desk-page.ts';
import readingStyles from '../web/layout/prose/reading.css?url';
import { createLoadContext } from '../web/loaders/load-context.ts';
import type { SiteServices } from '../web/loaders/services.ts';
import outcomeStyles from '../web/pages/tool/result/outcome.css?url';
import styles from '../web/ui/styles.css?url';

const handler = createRequestHandler(build as ServerBuild, import.meta.env.MODE);

/** Answers a page, its data, or its action. */
export const handle = (request: Request, services: SiteServices): Promise<Response> =>
  handler(request, createLoadContext(services));

/** A page of the operator's desk as HTML. Sites without a desk never load what renders it. */
export const renderDesk = async (shown: ShownDesk): Promise<string> =>
  (await import('./desk.ts')).renderDesk(shown);

/** Paths of the style sheets of pages: components bring them along, and the router knows nothing of them. */
const styleSheets = [styles, readingStyles, outcomeStyles];

/** Paths of the files that pages are made of: what is loaded for extras alone is not among them. */
export function pageFiles(): string[] {
  const { url, entry, routes } = build.assets;
  const ofRoutes = Object.values(routes).flatMap((route) =>
    route === undefined ? [] : [route.module, ...(route.imports ?? [])],
  );
  return [...new Set([url, entry.module, ...entry.imports, ...styleSheets, ...ofRoutes])].sort();
}
