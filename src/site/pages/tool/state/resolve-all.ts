import type { ErrorResponse, ResolveResponse } from '../../../api.ts';
import type { ListedLink } from './several-links.tsx';

/** Number of a visitor's posts that are read at once. */
export const postsAtOnce = 4;

/** Longest time a page waits for its list. The browser, or a press, requests the missing rest. */
const limitMs = 6_000;

type LinkResponse = ResolveResponse | ErrorResponse;

/**
 * The results of several links, in order, a few at a time and within a time limit.
 * @param resolve never rejects for a visitor's mistake
 * @throws what `resolve` throws
 */
export async function resolveAll(
  links: readonly string[],
  resolve: (link: string) => Promise<LinkResponse>,
  waitMs = limitMs,
): Promise<ListedLink[]> {
  const responses: (LinkResponse | null)[] = links.map(() => null);
  let next = 0;
  let isOver = false;
  const task = async () => {
    while (!isOver && next < links.length) {
      const at = next++;
      responses[at] = await resolve(links[at] ?? '');
    }
  };
  const tooLate = Promise.withResolvers<void>();
  const timer = setTimeout(tooLate.resolve, waitMs);
  try {
    await Promise.race([Promise.all(Array.from({ length: postsAtOnce }, task)), tooLate.promise]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
  return links.map((link, at) => ({ link, response: responses[at] ?? null }));
}
