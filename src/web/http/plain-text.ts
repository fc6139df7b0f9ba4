import { z } from 'zod';

/** General category Cc: U+0000, which PostgreSQL takes in no text, and what else terminals and logs obey. */
const controlCharacter = /\p{Cc}/u;

/** Whether text holds no control character: neither U+0000 nor a line break. */
export const isPlainText = (text: string): boolean => !controlCharacter.test(text);

/**
 * Where a value of JSON holds a text with a control character, or a key with one.
 * @returns names of keys and numbers of elements on the way there; null where there is none
 */
export function controlCharacterIn(value: unknown): readonly string[] | null {
  // A list of what is left to look at, as deeply nested JSON would fill the stack.
  const left: { readonly at: readonly string[]; readonly value: unknown }[] = [{ at: [], value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { at, value: found } = next;
    if (typeof found === 'string' && !isPlainText(found)) return at;
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, below] of Object.entries(found)) {
      if (!isPlainText(key)) return at;
      left.push({ at: [...at, key], value: below });
    }
  }
  return null;
}

/**
 * One line of text from outside, without control characters.
 * @param maxLength UTF-16 code units
 */
export const plainText = (maxLength: number) =>
  z.string().max(maxLength).refine(isPlainText, 'holds a control character');
