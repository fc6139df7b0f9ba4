import { describeFiles } from '../../../downloader/options/describe-files.ts';
import type { MediaSource, Post, PostReference } from '../../../downloader/post/post.ts';
import { type CanaryRow, runCanary } from '../../../downloader/posts/canary/canary.ts';
import { askMatrices, type EgressMatrix } from '../../../downloader/posts/canary/matrix.ts';
import { locatePost } from '../../../downloader/posts/locate-post.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';

/** A post's readings through one egress. */
interface TriedEgress {
  /** Its address without log-in; empty where there is one egress only. */
  readonly egress: string;
  readonly rows: readonly CanaryRow[];
  /** Whether the time was over before all strategies were tried. */
  readonly isCut: boolean;
}

/** A post's readings through every egress, by every strategy. */
export interface Tried {
  /** `tiktok 7615133378163811813` */
  readonly post: string;
  readonly egresses: readonly TriedEgress[];
}

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
): Promise<Tried> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const openSource = (source: MediaSource) => createRemoteByteSource({ network, source });
  const describe = (post: Post, inner: AbortSignal) => describeFiles(post, openSource, inner);

  async function tryEgress(egress: string, named: PostReference): Promise<TriedEgress> {
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

/** Answers to requests for a post's page through every egress. */
export interface AskedMatrix {
  readonly post: string;
  readonly egresses: readonly EgressMatrix[];
}

/** Asks for a post's page as every identity through every egress. @throws Failure for a text that leads to no post */
export async function tryMatrix(
  { extractors, egresses }: CanaryParts,
  text: string,
  signal: AbortSignal,
): Promise<AskedMatrix> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const { reference, extractor } = await locatePost(text, extractors, limit);
  const asked = await askMatrices({ extractor, egresses }, reference, signal, limitMs);
  return { post: `${reference.platform} ${reference.id}`, egresses: asked };
}
