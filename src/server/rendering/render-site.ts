import type { Failure } from '../../failures/failures.ts';
import { scriptHashesHeader } from '../../site/document/script-hashes.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { contentSecurityPolicy, type PolicyAdditions } from '../http/responses/security-headers.ts';
import { refusalIn } from '../instance/errors.ts';
import type { BuiltSite } from '../instance/parts.ts';

/**
 * Calls the pages' application. Never lets a 500 response without a page pass silently: it reports the error unless the
 * application has.
 * @throws Failure with a retry time when the pages' data is temporarily unavailable
 */
export async function renderSite(
  { handle }: Pick<BuiltSite, 'handle'>,
  request: Request,
  services: SiteServices,
): Promise<Response> {
  let isReported = false;
  const refusals: Failure[] = [];
  const reportError = (error: unknown) => {
    isReported = true;
    const refusal = refusalIn(error);
    if (refusal !== null) refusals.push(refusal);
    services.reportError(error);
  };
  const response = await handle(request, { ...services, reportError });
  const [refusal] = refusals;
  if (refusal !== undefined && response.status >= 500) throw refusal;
  const isUnseen = response.status === 500 && !isReported && !request.signal.aborted;
  if (isUnseen && !response.headers.has('content-type'))
    services.reportError(new Error(`The router answers ${request.method} ${request.url} with 500`));
  return response;
}

/** Header names that describe a connection, not a page. */
export const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** A rendered response, with the policy that allows its own scripts. @param policy null for none, in development */
export async function toPageResponse(
  response: Response,
  policy: PolicyAdditions | null,
): Promise<PageResponse> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers)
    if (!hopByHop.has(name) && name !== 'set-cookie' && name !== scriptHashesHeader) headers[name] = value;
  const body = Buffer.from(await response.arrayBuffer());
  if (policy !== null && headers['content-type']?.startsWith('text/html'))
    headers['content-security-policy'] = contentSecurityPolicy(
      response.headers.get(scriptHashesHeader) ?? '',
      policy,
    );
  const cookies = response.headers.getSetCookie();
  return { status: response.status, headers, body, ...(cookies.length > 0 && { cookies }) };
}
