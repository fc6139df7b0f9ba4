import { describeFiles } from '../../../downloader/options/describe-files.ts';
import { type CanaryRow, runCanary } from '../../../downloader/posts/canary.ts';
import { locatePost } from '../../../downloader/posts/locate-post.ts';
import type { MediaSource, Post, PostReference } from '../../../downloader/posts/post.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import type { ServerParts } from '../../../web/server/parts.ts';

/** What one way out gave for a post. */
interface TriedWay {
  /** Its address without log-in; empty where there is one way only. */
  readonly way: string;
  readonly rows: readonly CanaryRow[];
  /** Whether the time was over before all strategies were tried. */
  readonly isCut: boolean;
}

/** What a post gave by every way out and every strategy. */
export interface Tried {
  /** `tiktok 7615133378163811813` */
  readonly post: string;
  readonly ways: readonly TriedWay[];
}

type CanaryParts = Pick<ServerParts, 'extractors' | 'ways' | 'network'>;

/** Proxies in front of the site end an answer that takes a minute. */
const limitMs = 45_000;

/**
 * Reads a post by every strategy, past their circuit breakers, and by every way out, all ways at once.
 * @throws Failure for a text that leads to no post
 */
export async function tryWays(
  { extractors, ways, network }: CanaryParts,
  text: string,
  signal: AbortSignal,
): Promise<Tried> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const openSource = (source: MediaSource) => createRemoteByteSource({ network, source });
  const describe = (post: Post, inner: AbortSignal) => describeFiles(post, openSource, inner);

  async function tryWay(way: string, named: PostReference): Promise<TriedWay> {
    const rows: CanaryRow[] = [];
    try {
      for await (const row of runCanary(extractor.strategies, named, limit, describe)) rows.push(row);
      return { way, rows, isCut: false };
    } catch (thrown) {
      if (!limit.aborted || signal.aborted) throw thrown;
      return { way, rows, isCut: true };
    }
  }

  const states = ways.states();
  return {
    post: `${reference.platform} ${reference.id}`,
    ways: await Promise.all(
      states.length === 0
        ? [tryWay('', reference)]
        : states.map(({ id, label }) => tryWay(label, { ...reference, way: id })),
    ),
  };
}
