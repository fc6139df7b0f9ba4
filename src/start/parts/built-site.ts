import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import type { BuiltSite } from '../../server/parts.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { withMovedPages } from './moved-pages.ts';

/** What our `entry.server` exports beside React Router's own. */
interface Entry {
  createLoadContext(services: SiteServices): RouterContextProvider;
}

/**
 * Loads the production build of the pages.
 * @throws Error when it was not built
 */
export async function loadBuiltSite(configuration: SiteConfiguration): Promise<BuiltSite> {
  const folder = 'build';
  const file = resolve(folder, 'server/index.js');
  if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first`);
  const built = (await import(pathToFileURL(file).href)) as ServerBuild;
  const { build, routeList } = withMovedPages(built, configuration);
  // Imported here because React picks its production half by NODE_ENV when it is loaded.
  const { createRequestHandler } = await import('react-router');
  const handler = createRequestHandler(build, 'production');
  const { createLoadContext } = build.entry.module as unknown as Entry;
  return {
    handle: (request, services) => handler(request, createLoadContext(services)),
    version: String(Math.floor(statSync(file).mtimeMs)),
    files: resolve(folder, 'client'),
    routeList,
  };
}
