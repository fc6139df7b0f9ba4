/** The hashtags of a text as they stand in it, each once. */
export function hashtagsOf(text: string): string[] {
  return [...new Set(text.match(/#[\p{L}\p{M}\p{N}_]+/gu))];
}
