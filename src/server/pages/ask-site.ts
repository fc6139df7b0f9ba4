import type { SiteServices } from '../../site/services.ts';
import type { BuiltSite } from '../parts.ts';

/**
 * Asks the pages' application. An answer of 500 without a page never goes unseen: where the application itself has
 * reported nothing, this does.
 */
export async function askSite(
  { handle }: Pick<BuiltSite, 'handle'>,
  request: Request,
  services: SiteServices,
): Promise<Response> {
  let isReported = false;
  const reportError = (error: unknown) => {
    isReported = true;
    services.reportError(error);
  };
  const response = await handle(request, { ...services, reportError });
  const isUnseen = response.status === 500 && !isReported && !request.signal.aborted;
  if (isUnseen && !response.headers.has('content-type'))
    services.reportError(new Error(`The router answers ${request.method} ${request.url} with 500`));
  return response;
}
