import type { ErrorAnswer, ResolveAnswer } from '../../api.ts';

/** An answer that the server put into the page, and the text it answers. */
export interface ToolAnswer {
  readonly text: string;
  readonly answer: ResolveAnswer | ErrorAnswer;
}

/**
 * The text that an address hands to the tool: our own `?url=`, or what a phone's share sheet sends.
 * Null when there is none.
 */
export function sharedText(parameters: URLSearchParams): string | null {
  const parts = ['url', 'text', 'title'].map((name) => parameters.get(name)?.trim() ?? '');
  const text = parts.filter((part) => part !== '').join(' ');
  return parts[0] === '' && parts[1] === '' ? null : text;
}
