import { type Address, pathFor, plainlyWritten } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import {
  formerHostOf,
  isMoved,
  redirect,
  redirectStatus,
  toPresentHost,
} from '../http/responses/redirect.ts';
import type { PageResponse } from '../http/responses/response.ts';
import type { Handle, RouteContext, RouteStep } from './route-context.ts';

/** The present address of a page requested at a former or wrongly prefixed one. */
export function presentPath({ page, locale, redirect }: Address, configuration: SiteConfiguration) {
  const target = configuration.route_redirects.get(page);
  return target === undefined ? redirect : pathFor(configuration, locale, target);
}

/**
 * Redirects former addresses permanently: the `www.` host to the bare one, and the pages of `route_redirects`, each in
 * its language.
 * @param origin the public origin
 */
export function routeRedirect(configuration: SiteConfiguration, origin: string): RouteStep {
  const { route_redirects } = configuration;
  const isFormer = formerHostOf(origin);

  /** In one go to where the page is found now. */
  async function leaveHost(context: RouteContext, next: Handle): Promise<PageResponse> {
    const { path, search, kind, method, address, headers } = context;
    const leave = (target: string) => toPresentHost(status, target, origin, headers);
    const status = redirectStatus(method);
    const present = kind === 'document' ? presentPath(address, configuration) : undefined;
    if (present !== undefined || plainlyWritten(path) === path) return leave((present ?? path) + search);
    const response = await next(context);
    const target = isMoved(response.status) ? response.headers.location : undefined;
    return leave(target ?? path + search);
  }

  return {
    name: 'route-redirect',
    before: (next) => (context) => {
      const { search, host, kind, method, address } = context;
      if (isFormer(host)) return leaveHost(context, next);
      const isRead = method === 'GET' || method === 'HEAD';
      if (kind !== 'document' || !isRead || !route_redirects.has(address.page)) return next(context);
      return redirect(301, (presentPath(address, configuration) ?? '/') + search);
    },
  };
}
