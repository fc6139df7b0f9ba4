import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import type { StaticPage } from '../../configuration/static-pages.ts';
import * as allArticles from '../all-articles/route.tsx';
import * as api from '../api/route.tsx';
import * as authors from '../authors/route.tsx';
import * as legal from '../legal/route.tsx';
import * as messageForm from '../message-form/route.tsx';
import * as siteMap from '../pagelink/route.tsx';
import * as posts from '../posts/route.tsx';
import type { ViewProps } from '../views.tsx';

/** The server's exports of a static page's route. */
interface StaticPageModule {
  loader(request: LoaderFunctionArgs): object | Promise<object>;
  action?(request: ActionFunctionArgs): Promise<unknown>;
}

interface MovablePage {
  readonly route: StaticPageModule;
  readonly view: ViewProps['of'];
}

const legalPage: MovablePage = { route: legal, view: 'legal' };
const formPage: MovablePage = { route: messageForm, view: 'form' };

/**
 * The static pages by name, for those with another address in a language: the site configuration names them, while
 * routes are fixed at build time. On the server only.
 */
export const staticPages: Readonly<Record<Exclude<StaticPage, '404'>, MovablePage>> = {
  about: legalPage,
  api: { route: api, view: 'api' },
  author: { route: authors, view: 'authors' },
  contact: formPage,
  'cookies-policy': legalPage,
  dmca: formPage,
  'legal-disclaimer': legalPage,
  pagelink: { route: siteMap, view: 'site-map' },
  posts: { route: posts, view: 'posts' },
  'privacy-policy': legalPage,
  'terms-of-use': legalPage,
  'view-articles': { route: allArticles, view: 'all-articles' },
};
