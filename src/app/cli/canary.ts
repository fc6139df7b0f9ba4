import type { Extractor } from '../../downloader/extractors/extractor.ts';
import type { WayState } from '../../downloader/network/ways/ways.ts';
import { describeFiles } from '../../downloader/options/describe-files.ts';
import { runCanary } from '../../downloader/posts/canary.ts';
import { locatePost } from '../../downloader/posts/locate-post.ts';
import type { MediaSource, Post, PostReference } from '../../downloader/posts/post.ts';
import { createRemoteByteSource } from '../../downloader/streaming/byte-source.ts';
import { Failure } from '../../failures/failures.ts';
import { readEnvironment } from '../../process/environment.ts';
import { printError, printText } from '../../web/commands/command.ts';
import { assemblePlatform, type PlatformParts } from '../parts/downloader/platform.ts';

interface Platform extends Pick<PlatformParts, 'network'> {
  readonly extractor: Extractor;
}

/** For one way out. */
const limitMs = 60_000;

/** @returns whether the first strategy works */
async function tryStrategies({ extractor, network }: Platform, reference: PostReference): Promise<boolean> {
  const results: boolean[] = [];
  const openSource = (source: MediaSource) => createRemoteByteSource({ network, source });
  const describe = (post: Post, signal: AbortSignal) => describeFiles(post, openSource, signal);
  const canary = runCanary(extractor.strategies, reference, AbortSignal.timeout(limitMs), describe);
  for await (const { name, ok, ms, found, note, files } of canary) {
    results.push(ok);
    printText(
      [ok ? 'ok    ' : 'failed', name.padEnd(8), `${Math.round(ms)} ms`.padStart(8), found, note]
        .join('  ')
        .trimEnd(),
    );
    for (const file of files) printText(`        ${file}`);
  }
  return results[0] ?? false;
}

/** The same by each way out. @returns whether the first strategy works by all of them */
async function tryWays(platform: Platform, reference: PostReference, ways: readonly WayState[]) {
  let allWork = true;
  for (const { id, label } of ways) {
    printText(`way ${id}  ${label}`);
    const works = await tryStrategies(platform, { ...reference, way: id });
    allWork &&= works;
  }
  return allWork;
}

/** Runs every way of reading posts on one post, by every way out, for an operator to see which one broke, and what its files hold. */
export const canary = {
  usage: 'canary URL',
  about:
    'run every way of reading posts on one post, by each of OUTBOUND_PROXIES, and print what each gave and its files hold',
  /** @returns 0 when the first way of reading works everywhere, 1 when it does not, 2 for a wrong call */
  async run(words: readonly string[]): Promise<number> {
    if (words.length !== 1) {
      printError('usage: canary URL');
      return 2;
    }
    const searchPath = process.env.PATH ?? '';
    const { network, extractors, ways } = await assemblePlatform(readEnvironment(process.env), {
      searchPath,
    });
    try {
      const limit = AbortSignal.timeout(limitMs);
      const { reference, extractor } = await locatePost(words[0] ?? '', extractors, limit);
      const states = ways.states();
      const works = await (states.length === 0
        ? tryStrategies({ extractor, network }, reference)
        : tryWays({ extractor, network }, reference, states));
      return works ? 0 : 1;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      printError(`${words[0]}: ${thrown.message}`);
      return thrown.key.startsWith('link_') ? 2 : 1;
    } finally {
      await network.close();
    }
  },
};
