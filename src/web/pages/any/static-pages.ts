import type { ComponentType } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import type { StaticPage } from '../../configuration/static-pages.ts';
import * as allArticles from '../all-articles/route.tsx';
import * as api from '../api/route.tsx';
import * as authors from '../authors/route.tsx';
import * as contact from '../contact/route.tsx';
import * as dmca from '../dmca/route.tsx';
import * as legal from '../legal/route.tsx';
import * as notFound from '../not-found/route.tsx';
import * as siteMap from '../pagelink/route.tsx';
import * as posts from '../posts/route.tsx';

/** What the route of a static page exports. In the browser the component alone. */
interface StaticPageModule {
  loader(request: LoaderFunctionArgs): object | Promise<object>;
  action?(request: ActionFunctionArgs): Promise<unknown>;
  default: ComponentType;
}

/**
 * The static pages by their names, for those that a language has at another address: the site configuration says which,
 * and routes are settled when the site is built.
 */
export const staticPages: Readonly<Record<StaticPage, StaticPageModule>> = {
  '404': notFound,
  about: legal,
  api,
  author: authors,
  contact,
  'cookies-policy': legal,
  dmca,
  'legal-disclaimer': legal,
  pagelink: siteMap,
  posts,
  'privacy-policy': legal,
  'terms-of-use': legal,
  'view-articles': allArticles,
};
