import { describeFiles } from '../../../downloader/options/describe-files.ts';
import type { MediaSource, Post, PostReference } from '../../../downloader/post/post.ts';
import { type CanaryRow, runCanary } from '../../../downloader/posts/canary/canary.ts';
import { askMatrices } from '../../../downloader/posts/canary/matrix.ts';
import { locatePost } from '../../../downloader/posts/locate-post.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';

type CanaryParts = Pick<ServerDependencies, 'extractors' | 'egresses' | 'network'>;

/** Proxies in front of the site end an answer that takes a minute. */
const limitMs = 45_000;

/**
 * Reads a post by every strategy, past their circuit breakers, and through every egress, all at once.
 * @throws Failure for a text that leads to no post
 */
export async function tryEgresses(
  { extractors, egresses, network }: CanaryParts,
  text: string,
  signal: AbortSignal,
) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const openSource = (source: MediaSource) => createRemoteByteSource({ network, source });
  const describe = (post: Post, inner: AbortSignal) => describeFiles(post, openSource, inner);

  /**
   * @param egress its address without log-in; empty where there is one egress only
   * @returns `isCut` when the time was over before all strategies were tried
   */
  async function tryEgress(egress: string, named: PostReference) {
    const rows: CanaryRow[] = [];
    try {
      for await (const row of runCanary(extractor.strategies, named, limit, describe)) rows.push(row);
      return { egress, rows, isCut: false };
    } catch (thrown) {
      if (!limit.aborted || signal.aborted) throw thrown;
      return { egress, rows, isCut: true };
    }
  }

  const states = egresses.states();
  return {
    post: `${reference.platform} ${reference.id}`,
    egresses: await Promise.all(
      states.length === 0
        ? [tryEgress('', reference)]
        : states.map(({ id, label }) => tryEgress(label, { ...reference, egress: id })),
    ),
  };
}

/** Asks for a post's page as every identity through every egress. @throws Failure for a text that leads to no post */
export async function tryMatrix({ extractors, egresses }: CanaryParts, text: string, signal: AbortSignal) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const asked = await askMatrices({ extractor, egresses }, reference, signal, limitMs);
  return { post: `${reference.platform} ${reference.id}`, egresses: asked };
}
