import { index, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';

/** One page under every prefix of the grammar. */
function everywhere(page: string, file: string): RouteConfigEntry[] {
  return ['', ':prefix/', 'tr/:prefix/'].map((prefix, at) =>
    route(prefix + page, file, { id: `${page}-${at}` }),
  );
}

/**
 * Every address of the site. The grammar `[/tr][/{lang}]/{page}` is read by `parseAddress` (addresses.ts).
 *
 * The home page and the downloader pages are one module: which of them exist is said by `index_modules` of the site
 * configuration. What it does not know is answered with the 404 screen.
 */
export default [
  index('pages/tool/route.tsx', { id: 'home' }),
  ...everywhere('api', 'pages/api/route.tsx'),
  route('*', 'pages/tool/route.tsx', { id: 'module' }),
] satisfies RouteConfig;
