import { asFailure, causesOf } from '../../../failures/failures.ts';
import { withTimeLimit } from '../../async/time-limit.ts';
import type { Strategy } from '../../extractors/extractor.ts';
import type { Post, PostReference } from '../../post/post.ts';

/** The result of one strategy for one post. */
export interface CanaryRow {
  readonly name: string;
  readonly ok: boolean;
  readonly ms: number;
  /** `576x1024 h264, 1080x1920 h265`, `pictures: 4, sound`, or the failure's key. */
  readonly found: string;
  /** The failure's details beyond its key, with what caused it; may be empty. */
  readonly note: string;
  /** The content of each offered file; empty after a failure. */
  readonly files: readonly string[];
}

/**
 * Tries every strategy on one post, one after the other and past their circuit breakers, so that an operator sees which
 * one broke.
 * @param describe describes the files of a post
 * @throws the signal's reason
 */
export async function* runCanary(
  strategies: readonly Strategy[],
  reference: PostReference,
  signal: AbortSignal,
  describe: (post: Post, signal: AbortSignal) => Promise<readonly string[]>,
  now: () => number = () => performance.now(),
): AsyncGenerator<CanaryRow> {
  for (const strategy of strategies) {
    const { name, limitMs } = strategy;
    const start = now();
    try {
      const post = await withTimeLimit(limitMs, signal, (inner) => strategy.read(reference, inner));
      const ms = now() - start;
      yield { name, ok: true, ms, found: describePost(post), note: '', files: await describe(post, signal) };
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = asFailure(thrown, 'post_unreadable');
      yield { name, ok: false, ms: now() - start, found: failure.key, note: causesOf(failure), files: [] };
    }
  }
}

function describePost(post: Post): string {
  if (post.kind === 'photos') {
    const had = post.pictures.filter(({ source, motion }) => source !== null || motion !== null).length;
    const all = post.pictures.length;
    const moving = post.pictures.filter(({ motion }) => motion !== null).length;
    return [
      `pictures: ${had === all ? all : `${had} of ${all}`}`,
      ...(moving === 0 ? [] : [`moving: ${moving}`]),
      ...(post.sound === null ? [] : ['sound']),
    ].join(', ');
  }
  return post.videos
    .map(({ width, height, codec, mayBeMarked }) => {
      const size = `${width}x${height} ${codec}`;
      return mayBeMarked === true ? `${size}, may carry the watermark` : size;
    })
    .join(', ');
}
