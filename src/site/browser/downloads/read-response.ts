import type { ErrorResponse } from '../../api.ts';

/**
 * Reads a JSON response of this site's API.
 * @throws TypeError when it is neither a result nor an error, SyntaxError when it is not JSON
 */
export async function readResponse<R extends { readonly result: unknown }>(
  response: Response,
): Promise<R | ErrorResponse> {
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('result' in body || 'error' in body))
    throw new TypeError(`unreadable response with status ${response.status}`);
  return body as R | ErrorResponse;
}
