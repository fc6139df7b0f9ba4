/** A calm pace; what studies of silent reading find is 180 to 260 words a minute. */
const wordsPerMinute = 220;

/**
 * Reading time in minutes, at least 1. Words are segmented by language, also for languages without spaces (Unicode UAX
 * 29).
 */
export function readingMinutes(text: string, locale: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(locale, { granularity: 'word' }).segment(text))
    if (isWordLike) words++;
  return Math.max(1, Math.ceil(words / wordsPerMinute));
}
