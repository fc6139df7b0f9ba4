import { z } from 'zod';

/** General category Cc: U+0000, which PostgreSQL takes in no text, and what else terminals and logs obey. */
const controlCharacter = /\p{Cc}/u;

/** Whether text holds no control character: neither U+0000 nor a line break. */
export const isPlainText = (text: string): boolean => !controlCharacter.test(text);

/**
 * One line of text from outside, without control characters.
 * @param maxLength UTF-16 code units
 */
export const plainText = (maxLength: number) =>
  z.string().max(maxLength).refine(isPlainText, 'holds a control character');
