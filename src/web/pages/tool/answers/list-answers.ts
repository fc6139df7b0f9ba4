import type { ErrorAnswer, ResolveAnswer } from '../../../api.ts';
import type { ListedLink } from './several-links.tsx';

/** Posts of one visitor that are read at once. */
export const postsAtOnce = 4;

/** A page waits this long for its list. What is missing then is asked for by the browser, or with a press. */
const limitMs = 6_000;

type Answer = ResolveAnswer | ErrorAnswer;

/**
 * What becomes of several links, in their order, a few at a time and within a time.
 * @param ask never rejects for a mistake of the visitor's
 * @throws what `ask` throws
 */
export async function answersTo(
  links: readonly string[],
  ask: (link: string) => Promise<Answer>,
  waitMs = limitMs,
): Promise<ListedLink[]> {
  const answers: (Answer | null)[] = links.map(() => null);
  let next = 0;
  let isOver = false;
  const work = async () => {
    while (!isOver && next < links.length) {
      const at = next++;
      answers[at] = await ask(links[at] ?? '');
    }
  };
  const { promise: tooLate, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  try {
    await Promise.race([Promise.all(Array.from({ length: postsAtOnce }, work)), tooLate]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
  return links.map((link, at) => ({ link, answer: answers[at] ?? null }));
}
