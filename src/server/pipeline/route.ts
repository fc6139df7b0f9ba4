import { parseAddress, pathFor, plainlyWritten } from '../../site/addressing/addresses.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { isPlainText } from '../http/plain-text.ts';
import { type PageResponse, redirect } from '../http/responses/response.ts';
import type { PolicyAdditions } from '../http/responses/security-headers.ts';
import type { BuiltSite } from '../instance/parts.ts';
import { failureNotice, isWithoutPage } from '../rendering/bare-pages.ts';
import { hopByHop, renderSite, toPageResponse } from '../rendering/render-site.ts';
import { presentPath } from './redirects.ts';
import type { RouteContext, RouteStep } from './route-context.ts';

function toWebRequest(
  { path, search, method, headers, body, signal }: RouteContext,
  origin: string,
): Request {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'origin' && !hopByHop.has(name)) kept.set(name, String(value));
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  return new Request(origin + path + search, {
    method,
    headers: kept,
    signal,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
}

/** Whether a path, decoded as the router decodes it, can be a page's: one with a control character never is. */
function isPlainPath(path: string): boolean {
  try {
    return isPlainText(decodeURIComponent(path));
  } catch (error) {
    // The router leaves what cannot be decoded as it is.
    if (error instanceof URIError) return isPlainText(path);
    throw error;
  }
}

/** The page for this moment only. */
const unkept = (page: PageResponse): PageResponse => ({
  ...page,
  headers: { ...page.headers, 'cache-control': 'no-store' },
});

const assetsVersionHeader = 'x-assets-version';

/**
 * The last step: React Router renders the page. A malformed address with a page at its canonical form is redirected
 * there permanently.
 * @param origin the public origin: pages never learn the requested host
 */
export function route(
  site: BuiltSite,
  origin: string,
  configuration: SiteConfiguration,
  additions: PolicyAdditions = {},
): RouteStep {
  const policy = site.isDevelopment === true ? null : additions;

  /** Pages and their data say which build they belong to: a document cannot read the data of another one. */
  function ofThisVersion(response: PageResponse): PageResponse {
    const { shell } = site;
    if (shell === undefined) return response;
    return { ...response, headers: { ...response.headers, [assetsVersionHeader]: shell.version } };
  }

  async function plainAddress(context: RouteContext, services: SiteServices): Promise<string | null> {
    const { kind, method, path, signal } = context;
    if (kind !== 'document' || (method !== 'GET' && method !== 'HEAD')) return null;
    const plain = plainlyWritten(path);
    if (plain === path) return null;
    const target = presentPath(parseAddress(plain, configuration), configuration) ?? plain;
    const asked = new Request(origin + target, { method: 'HEAD', signal });
    const found = await renderSite(site, asked, services);
    return found.status === 200 ? target : null;
  }

  /** The screen of an address that no page has, or its data. */
  async function missingPage({ kind, address }: RouteContext, services: SiteServices): Promise<PageResponse> {
    const path = pathFor(configuration, address.locale, '404');
    const request = new Request(origin + (kind === 'document' ? path : `${path}.data`));
    return toPageResponse(await renderSite(site, request, services), policy);
  }

  return {
    name: 'route',
    before: () => async (context) => {
      const { services, kind, address } = context;
      if (services === null) throw new Error('No step has injected what pages ask for');
      if (kind !== 'manifest' && !isPlainPath(context.path))
        return { ...(await missingPage(context, services)), status: 404 };
      const plain = await plainAddress(context, services);
      if (plain !== null) return redirect(301, plain + context.search);
      const response = await renderSite(site, toWebRequest(context, origin), services);
      if (kind !== 'document' || !isWithoutPage(response)) {
        const page = ofThisVersion(await toPageResponse(response, policy));
        return services.isIncomplete() ? unkept(page) : page;
      }
      if (response.status >= 500) return failureNotice(context.id, address.locale, configuration);
      // The router has no page for an address outside its patterns: the not-found page replaces it.
      return { ...(await missingPage(context, services)), status: response.status };
    },
  };
}
