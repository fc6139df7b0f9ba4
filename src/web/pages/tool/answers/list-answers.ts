import type { ErrorResponse, ResolveResponse } from '../../../api.ts';
import type { ListedLink } from './several-links.tsx';

/** Posts of one visitor that are read at once. */
export const postsAtOnce = 4;

/** Longest time a page waits for its list. The browser, or a press, requests the missing rest. */
const limitMs = 6_000;

type LinkResponse = ResolveResponse | ErrorResponse;

/**
 * The results of several links, in order, a few at a time and within a time limit.
 * @param ask never rejects for a visitor's mistake
 * @throws what `ask` throws
 */
export async function resolveAll(
  links: readonly string[],
  ask: (link: string) => Promise<LinkResponse>,
  waitMs = limitMs,
): Promise<ListedLink[]> {
  const answers: (LinkResponse | null)[] = links.map(() => null);
  let next = 0;
  let isOver = false;
  const task = async () => {
    while (!isOver && next < links.length) {
      const at = next++;
      answers[at] = await ask(links[at] ?? '');
    }
  };
  const { promise: tooLate, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  try {
    await Promise.race([Promise.all(Array.from({ length: postsAtOnce }, task)), tooLate]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
  return links.map((link, at) => ({ link, answer: answers[at] ?? null }));
}
