import { scriptHashesHeader } from '../../site/document/script-hashes.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { contentSecurityPolicy, type PolicyAdditions } from '../http/responses/security-headers.ts';

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
