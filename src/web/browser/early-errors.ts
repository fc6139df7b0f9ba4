/**
 * Errors are noted from the first moment on where they are reported, and reported once what does that is loaded. The
 * document's head notes them; nothing of it is there where nobody wants to know.
 */

interface EarlyErrors {
  /** Noted before anybody listened. */
  readonly seen: unknown[];
  tell(error: unknown): void;
}

declare global {
  var earlyErrors: EarlyErrors | undefined;
}

/** Stands alone in the document's head; empty in the browser's own files, which never write it. */
export const earlyErrorsScript = import.meta.env.SSR
  ? `var earlyErrors={seen:[],tell(e){this.seen.push(e)}};addEventListener('error',e=>earlyErrors.tell(e.error));addEventListener('unhandledrejection',e=>earlyErrors.tell(e.reason))`
  : '';

/** Tells of an error that was caught: the page shows something in its place. */
export const tellError = (error: unknown): void => globalThis.earlyErrors?.tell(error);

/** Calls back when there is an error, or has been one; each one stays noted. */
export function onFirstError(callback: () => void): void {
  const errors = globalThis.earlyErrors;
  if (errors === undefined) return;
  if (errors.seen.length > 0) callback();
  errors.tell = (error) => {
    if (errors.seen.push(error) === 1) callback();
  };
}

/** Hands over every error that was noted, and from now on each as it happens. */
export function takeErrors(take: (error: unknown) => void): void {
  const errors = globalThis.earlyErrors;
  if (errors === undefined) return;
  errors.tell = take;
  for (const error of errors.seen.splice(0)) take(error);
}
