/**
 * Records errors from the first moment on, if the site reports them, and reports them once the reporter is loaded. A
 * script in the document's head records them; it is absent on sites without reports.
 */

interface EarlyErrors {
  /** Errors recorded before a listener existed. */
  readonly seen: unknown[];
  tell(error: unknown): void;
}

declare global {
  var earlyErrors: EarlyErrors | undefined;
}

/** Self-contained, in the document's head; empty in the browser's own bundles, which never write it. */
export const earlyErrorsScript = import.meta.env.SSR
  ? `var earlyErrors={seen:[],tell(e){this.seen.push(e)}};addEventListener('error',e=>earlyErrors.tell(e.error));addEventListener('unhandledrejection',e=>earlyErrors.tell(e.reason))`
  : '';

/** Reports a caught error: the page shows something in its place. */
export const reportEarlyError = (error: unknown): void => globalThis.earlyErrors?.tell(error);

/** Calls back for each error, past and future; recorded ones stay recorded. */
export function onFirstError(callback: () => void): void {
  const errors = globalThis.earlyErrors;
  if (errors === undefined) return;
  if (errors.seen.length > 0) callback();
  errors.tell = (error) => {
    if (errors.seen.push(error) === 1) callback();
  };
}

/** Passes on every recorded error, and later ones as they happen. */
export function takeErrors(take: (error: unknown) => void): void {
  const errors = globalThis.earlyErrors;
  if (errors === undefined) return;
  errors.tell = take;
  for (const error of errors.seen.splice(0)) take(error);
}
