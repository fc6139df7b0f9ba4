import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Extractor } from '../../../downloader/extractors/extractor.ts';
import { recogniseLink } from '../../../downloader/links/recognise.ts';
import { canaryPost } from '../../../downloader/posts/canary/default-link.ts';

const everyMs = 5000;

/**
 * Tries strategies that are due, without a visitor: what has failed is asked again, and what nobody needs is known to
 * work before it is needed.
 * @param idleMs a strategy that was not asked for so long is due; infinite for never
 * @returns a function that ends it
 */
export function startTrials(
  extractors: readonly Extractor[],
  idleMs: number,
  logger: Pick<Logger, 'error'>,
): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const known = recogniseLink(
    canaryPost,
    extractors.map(({ links }) => links),
  );
  async function run(extractor: Extractor): Promise<void> {
    const usual = 'id' in known && known.platform === extractor.platform ? known : null;
    while (!signal.aborted)
      try {
        await pause(everyMs, undefined, { signal, ref: false });
        await extractor.tryWhenDue(usual, idleMs, signal);
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, 'strategies could not be tried');
      }
  }
  const running = Promise.all(extractors.map(run));
  return async () => {
    ending.abort();
    await running;
  };
}
