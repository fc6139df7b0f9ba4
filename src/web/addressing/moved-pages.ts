import { hash } from 'node:crypto';
import type { ServerBuild } from 'react-router';
import type { SiteConfiguration } from '../configuration/configuration.ts';
import { isStaticPage } from '../configuration/static-pages.ts';
import { pathFor } from './addresses.ts';

/** The moved pages, with the pattern of their address. */
function movedRoutes(configuration: SiteConfiguration): { id: string; path: string; page: string }[] {
  return configuration.locales.flatMap((locale) =>
    Object.entries(configuration.abnormalPages[locale] ?? {})
      .filter(([page, address]) => isStaticPage(page) && !address.startsWith('https://'))
      .map(([page]) => {
        const path = pathFor(configuration, locale, page);
        return {
          id: path,
          path: locale === configuration.defaultLocale ? path.slice(1) : `tr?${path}`,
          page,
        };
      }),
  );
}

/** The browser's list of routes, as a script of its own. */
export interface RouteList {
  readonly path: string;
  readonly script: string;
}

interface MovedPages {
  readonly build: ServerBuild;
  /** Not there where it is what was built. */
  readonly routeList?: RouteList;
}

/**
 * Adds routes for the static pages that the site configuration has at other addresses of this site: which route shows
 * a static page is otherwise settled when the site is built. Downloader pages need none, they have no route of their own.
 * @returns the build, and the browser's list of routes where it is another than the one that was built
 */
export function withMovedPages(build: ServerBuild, configuration: SiteConfiguration): MovedPages {
  const routes = { ...build.routes };
  const listed = { ...build.assets.routes };
  for (const { id, path, page } of movedRoutes(configuration)) {
    const [usual, usualListed] = [routes[`/${page}`], listed[`/${page}`]];
    if (usual === undefined || usualListed === undefined) throw new Error(`No route shows "${page}"`);
    routes[id] = { ...usual, id, path };
    listed[id] = { ...usualListed, id, path };
  }
  if (Object.keys(listed).length === Object.keys(build.assets.routes).length) return { build };
  const name = hash('sha256', JSON.stringify(listed)).slice(0, 8);
  const assets = { ...build.assets, routes: listed, url: build.assets.url.replace(/\w+\.js$/, `${name}.js`) };
  const script = `window.__reactRouterManifest=${JSON.stringify(assets)};`;
  return { build: { ...build, routes, assets }, routeList: { path: assets.url, script } };
}
