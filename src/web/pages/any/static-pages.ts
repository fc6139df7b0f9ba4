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

/** The exports of a static page's route. In the browser only the component. */
interface StaticPageModule {
  loader(request: LoaderFunctionArgs): object | Promise<object>;
  action?(request: ActionFunctionArgs): Promise<unknown>;
  default: ComponentType;
}

/**
 * The static pages by name, for those with another address in a language: the site configuration names them, while
 * routes are fixed at build time.
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
