import type { Failure } from '../../failures/failures.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
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
