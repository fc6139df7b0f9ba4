import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
  redirectDocument,
} from 'react-router';
import { createStore } from '../store.ts';
import { documentResponse } from './document-response.ts';
import { isReloaded, limitMs, loadWhole, RouteModuleError, withTabStorage } from './route-modules.ts';

let wantsOwnDocument: () => boolean = () => false;

/**
 * Loads whole documents for page changes while a condition holds: the present document lacks what the next one needs.
 */
export function loadDocumentWhile(condition: () => boolean): void {
  wantsOwnDocument = condition;
}

/** The change of pages inside the document that is under way. */
let present: { readonly target: string } | null = null;
const failure = createStore<RouteModuleError | null>(null);

/** The error of the last page change; null after success. The root throws it, so that the error screen shows it. */
export const useFailedNavigation = failure.use;

function giveUp(target: string, type: RouteModuleError['type']): void {
  const error = new RouteModuleError(target, type);
  console.error(error);
  if (!loadWhole(target)) failure.set(error);
}

/** Whether the service worker requests a whole document. */
const wantsDocument = ({ result }: DataStrategyResult): boolean =>
  isRouteErrorResponse(result) &&
  result.status === documentResponse.status &&
  result.data === documentResponse.body;

/**
 * Limits the time of a page change, and remembers its target meanwhile. Middleware of the root: it wraps the loading of
 * data and code.
 */
export const guardNavigation: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request, url },
  next,
) => {
  const change = { target: url.pathname + url.search };
  if (request.method === 'GET' && url.pathname !== location.pathname && wantsOwnDocument())
    throw redirectDocument(change.target);
  present = change;
  // A late result is still shown: the change itself goes on.
  const limit = setTimeout(() => giveUp(change.target, 'timeout'), limitMs);
  const end = () => {
    clearTimeout(limit);
    if (present !== change) return;
    present = null;
    failure.set(null);
  };
  request.signal.addEventListener('abort', end);
  try {
    const results = await next();
    if (Object.values(results).some(wantsDocument)) throw redirectDocument(change.target);
  } finally {
    end();
  }
};

const interruptedName = 'interrupted-change';

/**
 * React Router reloads the document when it cannot load a page's code, and so returns to the page before the change.
 * This continues to the target, once, and shows the error if that was tried already. It also continues a change that
 * the visitor interrupted by reloading. Call it before hydration.
 */
export function resumeNavigation(): void {
  const interrupted = withTabStorage((storage) => {
    const target = storage.getItem(interruptedName);
    storage.removeItem(interruptedName);
    return target;
  });
  if (interrupted !== null && isReloaded()) giveUp(interrupted, 'missing');
  addEventListener('pagehide', () => {
    if (present === null) return;
    const { target } = present;
    withTabStorage((storage) => storage.setItem(interruptedName, target));
  });
}
