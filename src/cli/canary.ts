import type { Extractor } from '../downloader/extractors/extractor.ts';
import { Failure } from '../downloader/failures.ts';
import { recogniseLink } from '../downloader/links/recognise.ts';
import { runCanary } from '../downloader/posts/canary.ts';
import type { PostReference } from '../downloader/posts/post.ts';
import { assemblePlatform } from '../start/parts/downloader.ts';
import { readEnvironment } from '../start/process/environment.ts';
import { printError, printText } from './command.ts';

const limitMs = 60_000;

async function postOf(text: string, extractor: Extractor, signal: AbortSignal): Promise<PostReference> {
  const link = recogniseLink(text);
  return 'id' in link ? link : extractor.locate(link, signal);
}

/** Runs every way of reading posts on one post, for an operator to see which one broke. */
export const canary = {
  usage: 'canary URL',
  about: 'run every way of reading posts on one post and print what each gave',
  /** @returns 0 when the first way works, 1 when it does not, 2 for a wrong call */
  async run(words: readonly string[]): Promise<number> {
    if (words.length !== 1) {
      printError('usage: canary URL');
      return 2;
    }
    const { network, extractor } = assemblePlatform(readEnvironment(process.env), process.env.PATH ?? '');
    const signal = AbortSignal.timeout(limitMs);
    try {
      const reference = await postOf(words[0] ?? '', extractor, signal);
      const results: boolean[] = [];
      for await (const { name, ok, ms, found, note } of runCanary(extractor.strategies, reference, signal)) {
        results.push(ok);
        printText(
          [ok ? 'ok    ' : 'failed', name.padEnd(8), `${Math.round(ms)} ms`.padStart(8), found, note]
            .join('  ')
            .trimEnd(),
        );
      }
      return results[0] ? 0 : 1;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      printError(`${words[0]}: ${thrown.message}`);
      return thrown.status === 400 || thrown.status === 422 ? 2 : 1;
    } finally {
      await network.close();
    }
  },
};
