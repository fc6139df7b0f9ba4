import type { ErrorResponse, ListResult, ResolveResult } from '../../../api.ts';
import type { ListedLink } from './several-links.tsx';
import type { ToolResponse } from './tool-response.ts';

/** Why there is no result. */
export interface ToolFailure {
  /** A key of `src/failures/failures.ts`, or `network` without a response. */
  readonly key: string;
  readonly message: string;
  /** The remedy, shown before the message. */
  readonly hint: string | null;
  /** Moment (ms since the epoch) from which another try makes sense. */
  readonly retryAt: number | null;
  /** The post's address, where the text named one. */
  readonly link: string | null;
  /** The next post's link in the text. */
  readonly otherLink: string | null;
}

interface Origin {
  /** True for a state that came with the page or the history, without an action in the tool. */
  readonly given: boolean;
  /** The submitted text. */
  readonly text: string;
}

/** The tool's state. */
export type ToolState = Origin &
  (
    | { readonly kind: 'idle' }
    | { readonly kind: 'resolving' }
    | { readonly kind: 'failed'; readonly failure: ToolFailure }
    | { readonly kind: 'ready'; readonly result: ResolveResult }
    | {
        readonly kind: 'list';
        readonly links: readonly ListedLink[];
        /** The platform's list that the posts come from, if any. */
        readonly source?: ListResult | undefined;
      }
  );

/**
 * The failure that the server's response names.
 * @param missing as in {@link givenState}
 */
export function failureOf({ error }: ErrorResponse, missing: string | null): ToolFailure {
  const { key, hint = null, link = null, other_link: otherLink = null, retry_after_s: seconds } = error;
  const message = key === 'link_missing' && missing !== null ? missing : error.message;
  const retryAt = seconds === undefined ? null : Date.now() + seconds * 1000;
  return { key, message, hint, retryAt, link, otherLink };
}

/**
 * The initial state: the response that the server put into the page, or none.
 * @param missing the page's message for a text without a link; null for the server's
 */
export function givenState(given: ToolResponse | null, missing: string | null): ToolState {
  if (given === null) return { kind: 'idle', given: true, text: '' };
  const { text, response, list, source } = given;
  if (list !== undefined) return { kind: 'list', given: true, text, links: list, source };
  if (response === null) return { kind: 'idle', given: true, text };
  return 'result' in response
    ? { kind: 'ready', given: true, text, result: response.result }
    : { kind: 'failed', given: true, text, failure: failureOf(response, missing) };
}
