import { scriptHashesHeader } from '../../site/rendering/script-hashes.ts';
import type { PageAnswer } from '../http/answer.ts';
import { contentSecurityPolicy } from '../http/security-headers.ts';

/** Header names that describe a connection, not a page. */
export const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** A rendered answer, with the policy that names its own scripts. */
export async function toAnswer(response: Response, isDevelopment: boolean): Promise<PageAnswer> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers)
    if (!hopByHop.has(name) && name !== 'set-cookie' && name !== scriptHashesHeader) headers[name] = value;
  const body = Buffer.from(await response.arrayBuffer());
  if (!isDevelopment && headers['content-type']?.startsWith('text/html'))
    headers['content-security-policy'] = contentSecurityPolicy(
      response.headers.get(scriptHashesHeader) ?? '',
    );
  const cookies = response.headers.getSetCookie();
  return { status: response.status, headers, body, ...(cookies.length > 0 && { cookies }) };
}
