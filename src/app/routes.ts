import { type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { features } from './features.ts';

/** A page under every prefix of the grammar `[/tr][/{lang}]`; `parseAddress` (addressing/addresses.ts) reads which it is. */
function pageAt(address: string, file: string): RouteConfigEntry {
  // The leading slash matters: routes are kept by their ids, and an object orders a key like "404" before all others.
  return route(`tr?/:language?/${address}`, file, { id: `/${address}` });
}

const page = (address: string, folder: string) => pageAt(address, `../site/pages/${folder}/route.tsx`);

/**
 * Every address of the site, one line each, in order of precedence. A `-new1` address shows the second layout of its
 * page.
 */
export default [
  // The home page: a downloader page. No index route: its form would have another address than the page.
  route('/', '../site/pages/any/route.tsx', { id: 'home' }),

  page('posts', 'posts'),
  page('posts/:id', 'category'),
  page('posts/:id/:number', 'category'),
  page('posts-new1', 'posts'),
  page('posts-new1/:id', 'category'),
  page('posts-new1/:id/:number', 'category'),
  page('view-articles', 'all-articles'),
  page('view-articles/:number', 'all-articles'),
  page('author', 'authors'),
  page('author/:id', 'author'),
  page('author/:id/:number', 'author'),

  page('about', 'legal'),
  page('contact', 'message-form'),
  page('contact-new1', 'message-form'),
  page('dmca', 'message-form'),
  page('dmca-new1', 'message-form'),
  page('cookies-policy', 'legal'),
  page('cookies-policy-new1', 'legal'),
  page('legal-disclaimer', 'legal'),
  page('legal-disclaimer-new1', 'legal'),
  page('privacy-policy', 'legal'),
  page('privacy-policy-new1', 'legal'),
  page('terms-of-use', 'legal'),
  page('terms-of-use-new1', 'legal'),
  page('term-of-use', 'legal'),

  page('api', 'api'),
  page('pagelink', 'pagelink'),
  ...features.flatMap(({ pages = {} }) => Object.entries(pages).map(([name, file]) => pageAt(name, file))),
  page('404', 'not-found'),
  page('error-404', 'not-found'),

  // A downloader page (pages/tool) of the site configuration, in any language; an article (pages/article); the 404 screen.
  route('*', '../site/pages/any/route.tsx', { id: 'other' }),
] satisfies RouteConfig;
