import { z } from 'zod';

/**
 * General category Cc: U+0000, which PostgreSQL rejects in texts, and other characters that terminals and logs
 * interpret.
 */
const controlCharacter = /\p{Cc}/u;

/** Whether text holds no control character: neither U+0000 nor a line break. */
export const isPlainText = (text: string): boolean => !controlCharacter.test(text);

/** Text as a person writes it in a form: without control characters other than tabs and line breaks. */
export const asTyped = (text: string): string => text.replace(/[^\P{Cc}\t\n\r]/gu, '');

/**
 * Finds a control character in the texts and keys of a JSON value.
 * @param isAllowed whether a text may stand there; by default one without control characters
 * @returns its path of keys and element numbers; null when there is none
 */
export function controlCharacterIn(value: unknown, isAllowed = isPlainText): readonly string[] | null {
  // A list of what is left to look at, as deeply nested JSON would fill the stack.
  const left: { readonly at: readonly string[]; readonly value: unknown }[] = [{ at: [], value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, value: found } = next;
    if (typeof found === 'string' && !isAllowed(found)) return at;
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, below] of Object.entries(found)) {
      if (!isAllowed(key)) return at;
      left.push({ at: [...at, key], value: below });
    }
  }
  return null;
}

/** One line of untrusted text, without control characters. @param maxLength UTF-16 code units */
export const plainText = (maxLength: number) =>
  z.string().max(maxLength).refine(isPlainText, 'holds a control character');
