import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RouterContextProvider, ServerBuild } from 'react-router';
import { withMovedPages } from '../../web/addressing/moved-pages.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import type { SiteServices } from '../../web/loaders/services.ts';
import type { BuiltSite, SiteShell } from '../../web/server/parts.ts';

/** What our `entry.server` exports beside React Router's own. */
interface Entry {
  createLoadContext(services: SiteServices): RouterContextProvider;
  /** Paths of the style sheets of pages. */
  readonly styleSheets: readonly string[];
}

/** The files that pages are made of: what is loaded for extras alone is not among them. */
function assetsOf({ assets, entry: { module } }: ServerBuild): string[] {
  const { styleSheets } = module as unknown as Entry;
  const { url, entry, routes } = assets;
  const ofRoutes = Object.values(routes).flatMap((route) =>
    route === undefined ? [] : [route.module, ...(route.imports ?? [])],
  );
  return [...new Set([url, entry.module, ...entry.imports, ...styleSheets, ...ofRoutes])].sort();
}

function readShell(build: ServerBuild, folder: string): SiteShell {
  const assets = assetsOf(build);
  const script = (name: string) => readFileSync(join(folder, `${name}.js`), 'utf8');
  return {
    version: hash('sha256', assets.join()).slice(0, 12),
    assets,
    scripts: {
      site: script('site'),
      withdrawn: script('withdrawn'),
      push: script('push'),
      offlinePage: script('offline-page'),
    },
  };
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
    shell: readShell(build, resolve(folder, 'service-workers')),
    routeList,
  };
}
