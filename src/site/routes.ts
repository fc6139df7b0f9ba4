import { index, type RouteConfig, route } from '@react-router/dev/routes';

/**
 * Every address of the site. The grammar `[/tr][/{lang}]/{page}` is read by `parseAddress` (addresses.ts).
 *
 * The home page and the downloader pages are one module: which of them exist is said by `index_modules` of the site
 * configuration. What it does not know is answered with the 404 screen.
 */
export default [
  index('pages/tool/route.tsx', { id: 'home' }),
  route('*', 'pages/tool/route.tsx', { id: 'module' }),
] satisfies RouteConfig;
