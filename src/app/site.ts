/**
 * The interface of the pages to the server: the build's entry. It is part of the build because a React Router context
 * is found by identity.
 */

import * as build from 'virtual:react-router/server-build';
import { createRequestHandler, type ServerBuild } from 'react-router';
import type { ShownDesk } from '../server/desk/desk-page.ts';
import readingStyles from '../site/layout/prose/reading.css?url';
import { createLoadContext } from '../site/loaders/page-context.ts';
import type { SiteServices } from '../site/loaders/services.ts';
import outcomeStyles from '../site/pages/tool/result/outcome.css?url';
import styles from '../site/ui/styles.css?url';

const handler = createRequestHandler(build as ServerBuild, import.meta.env.MODE);

/** Answers a page, its data, or its action. */
export const handle = (request: Request, services: SiteServices): Promise<Response> =>
  handler(request, createLoadContext(services));

/** A page of the operator's desk as HTML. Sites without a desk never load what renders it. */
export const renderDesk = async (shown: ShownDesk): Promise<string> =>
  (await import('./desk.ts')).renderDesk(shown);

/** Paths of the pages' style sheets: components import them, unknown to the router. */
const styleSheets = [styles, readingStyles, outcomeStyles];

/** Paths of the pages' files, without those loaded for extras only. */
export function pageFiles(): string[] {
  const { url, entry, routes } = build.assets;
  const ofRoutes = Object.values(routes).flatMap((route) =>
    route === undefined ? [] : [route.module, ...(route.imports ?? [])],
  );
  return [...new Set([url, entry.module, ...entry.imports, ...styleSheets, ...ofRoutes])].sort();
}
