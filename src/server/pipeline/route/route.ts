import type { SiteConfiguration } from '../../../site/configuration.ts';
import { failureNotice, isWithoutPage } from '../../pages/failure-notice.ts';
import { contentSecurityPolicy } from '../../pages/security-headers.ts';
import type { BuiltSite } from '../../parts.ts';
import type { PageAnswer, PageExchange, RouteStep } from '../exchange.ts';

/** Header names that describe a connection, not a page. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

function toWebRequest(
  { path, search, method, headers, body, signal }: PageExchange,
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

/** A rendered answer, with the policy that names its own scripts. */
export async function toAnswer(response: Response, isDevelopment: boolean): Promise<PageAnswer> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers)
    if (!hopByHop.has(name) && name !== 'set-cookie') headers[name] = value;
  const body = Buffer.from(await response.arrayBuffer());
  if (!isDevelopment && headers['content-type']?.startsWith('text/html'))
    headers['content-security-policy'] = contentSecurityPolicy(body);
  const cookies = response.headers.getSetCookie();
  return { status: response.status, headers, body, ...(cookies.length > 0 && { cookies }) };
}

/**
 * The end of the way: React Router answers the address with its page.
 * @param origin the public origin: pages never learn the host that a visitor named
 */
export function route(
  { handle, isDevelopment = false }: BuiltSite,
  origin: string,
  configuration: SiteConfiguration,
): RouteStep {
  return {
    name: 'route',
    before: () => async (exchange) => {
      if (exchange.services === null) throw new Error('No step has injected what pages ask for');
      const response = await handle(toWebRequest(exchange, origin), exchange.services);
      if (exchange.kind === 'document' && isWithoutPage(response))
        return failureNotice(exchange.id, exchange.address.locale, configuration);
      return toAnswer(response, isDevelopment);
    },
  };
}
