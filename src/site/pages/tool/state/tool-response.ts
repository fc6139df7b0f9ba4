import type { Messages } from '../../../../i18n/translate.ts';
import type { ErrorResponse, ListResult, ResolveResponse } from '../../../api.ts';
import type { ListedLink } from './several-links.tsx';

/** A response that the server put into the page, and the text in the box above it. */
export interface ToolResponse {
  readonly text: string;
  /** Null when nothing was looked up: the text waits in the box until the visitor submits it. */
  readonly response: ResolveResponse | ErrorResponse | null;
  /** All posts that the text names if there are several; then there is no single response. */
  readonly list?: readonly ListedLink[];
  /** Messages of the code that shows it, where a result or a list came with the page. */
  readonly messages?: Messages;
  /** The platform's list that the posts come from, if any. */
  readonly source?: ListResult | undefined;
}

/** Failures of links to the platform's lists of posts. */
const listKeys: readonly string[] = ['link_sound', 'link_profile', 'link_hashtag', 'link_handle'];

/** The address of the platform's list that a text names, by the response to it; null for any other. */
export function listNamedBy(response: ResolveResponse | ErrorResponse): string | null {
  if (!('error' in response) || !listKeys.includes(response.error.key)) return null;
  return response.error.link ?? null;
}

/**
 * The failure to show when a list could not be read: how to get a post's link, unless the list may be available later.
 */
export const failedList = (named: ErrorResponse, asked: ErrorResponse): ErrorResponse =>
  asked.error.key.startsWith('link_') ? named : asked;

/** Parameters that hand a text to the tool: our own `url`, and what a phone's share sheet sends. */
const parameterNames = ['url', 'text', 'title'] as const;

/** The text that an address or a form passes to the tool, null when there is none. */
export function sharedText(parameters: Pick<URLSearchParams | FormData, 'get'>): string | null {
  const parts = parameterNames.map((name) => String(parameters.get(name) ?? '').trim());
  const text = parts.filter((part) => part !== '').join(' ');
  return parts[0] === '' && parts[1] === '' ? null : text;
}

/**
 * The query of a page that shows a post, or nothing.
 * @param search the present query; other parameters stay
 * @param link the post's address, null for none
 */
export function searchWith(search: string, link: string | null): string {
  const parameters = new URLSearchParams(search);
  for (const name of parameterNames) parameters.delete(name);
  if (link !== null) parameters.set('url', link);
  return parameters.size === 0 ? '' : `?${parameters}`;
}
