import type { ErrorResponse, ResolveResponse } from '../../../api.ts';
import type { ListedLink } from './several-links.tsx';

/** A response that the server put into the page, and the text in the box above it. */
export interface ToolResponse {
  readonly text: string;
  /** Null when nothing was looked up: the text waits in the box until the visitor submits it. */
  readonly response: ResolveResponse | ErrorResponse | null;
  /** All posts that the text names if there are several; then there is no single response. */
  readonly list?: readonly ListedLink[];
}

/** Parameters that hand a text to the tool: our own `url`, and what a phone's share sheet sends. */
const parameterNames = ['url', 'text', 'title'] as const;

/** The text that an address passes to the tool, null when there is none. */
export function sharedText(parameters: URLSearchParams): string | null {
  const parts = parameterNames.map((name) => parameters.get(name)?.trim() ?? '');
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
