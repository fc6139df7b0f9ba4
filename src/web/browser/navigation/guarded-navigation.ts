import { useSyncExternalStore } from 'react';
import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
  redirectDocument,
} from 'react-router';
import { documentAnswer } from './document-answer.ts';
import { isReloaded } from './reloaded.ts';
import { limitMs, loadWhole, RouteModuleError, withTabStorage } from './route-modules.ts';

/** A change of pages inside the document. */
interface Change {
  readonly target: string;
}

let present: Change | null = null;
let failure: RouteModuleError | null = null;
const listeners = new Set<() => void>();

function show(error: RouteModuleError | null): void {
  failure = error;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Why the last page change failed; null when it did not. The root throws it, so that the error screen shows it. */
export function useFailedNavigation(): RouteModuleError | null {
  return useSyncExternalStore(
    subscribe,
    () => failure,
    () => null,
  );
}

function giveUp(target: string, type: RouteModuleError['type']): void {
  const error = new RouteModuleError(target, type);
  console.error(error);
  if (!loadWhole(target)) show(error);
}

/** Whether the service worker wants the page loaded as a whole document. */
const wantsDocument = ({ result }: DataStrategyResult): boolean =>
  isRouteErrorResponse(result) &&
  result.status === documentAnswer.status &&
  result.data === documentAnswer.body;

/**
 * Bounds the time of a page change, and remembers where it leads while it lasts. Middleware of the root: it runs around
 * the loading of data and code.
 */
export const guardNavigation: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request, url },
  next,
) => {
  const change: Change = { target: url.pathname + url.search };
  present = change;
  // What comes after all is shown: the change itself goes on.
  const limit = setTimeout(() => giveUp(change.target, 'timeout'), limitMs);
  const end = () => {
    clearTimeout(limit);
    if (present !== change) return;
    present = null;
    show(null);
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
 * React Router reloads the document when it cannot have a page's code, and so comes back to the page that was about to
 * be left. This goes on to the page that was wanted, once, and has the error shown when that has been tried. A visitor
 * who reloads the page in the middle of a change is led to where they were going. To be called before the document is
 * taken over.
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
