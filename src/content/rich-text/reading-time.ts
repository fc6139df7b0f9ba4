/** A calm pace; what studies of silent reading find is 180 to 260 words a minute. */
const wordsPerMinute = 220;

/**
 * Minutes that reading takes, at least 1. Words are found as the language writes them, also where no space stands
 * between them (Unicode UAX 29).
 */
export function readingMinutes(text: string, locale: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(locale, { granularity: 'word' }).segment(text))
    if (isWordLike) words++;
  return Math.max(1, Math.ceil(words / wordsPerMinute));
}
