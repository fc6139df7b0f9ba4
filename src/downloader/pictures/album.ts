import { Failure, isOfOneFile } from '../../failures/failures.ts';
import { inOrder } from '../async/parallel.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { MediaSource, Post } from '../post/post.ts';
import type { PostResolver } from '../posts/resolver.ts';

/** The parts of a slide. */
export type SlidePart = 'picture' | 'motion';

/** A part of a slide that was read, or why it is missing. */
export type AlbumPart<Result> = {
  /** The slide's index, from 0. */
  readonly index: number;
  readonly part: SlidePart;
} & ({ readonly result: Result } | { readonly missing: Failure });

export interface AlbumReader<Result> {
  readonly resolver: Pick<PostResolver, 'resolve'>;
  readonly read: (part: SlidePart, source: MediaSource, signal: AbortSignal) => Promise<Result>;
  /** Time limit for one part. */
  readonly limitMs?: number;
  /** Time limit for all failing parts together: after it, the rest is reported missing without a request. */
  readonly lostMs?: number;
  /** Whether slides' videos are read as well. */
  readonly motions?: boolean;
  /** Parts that are read at the same time, some ahead of need: these must hold nothing that has to be released. */
  readonly atOnce?: number;
}

/**
 * Reads every part of every slide in order, each on demand by default. An unavailable part is reported as missing, and
 * the next one follows. The post is read again for fresh addresses once, when the first part is refused.
 * @throws Failure of the post or of this machine (`post_withheld`, `overloaded` …), or the signal's reason
 */
export async function* readAlbum<Result>(
  { resolver, read, limitMs = 30_000, lostMs = 50_000, motions = true, atOnce = 1 }: AlbumReader<Result>,
  post: Post,
  signal: AbortSignal,
): AsyncGenerator<AlbumPart<Result>, void, void> {
  let latest = post;
  let reading: Promise<boolean> | null = null;
  let leftMs = lostMs;

  const sourceOf = (index: number, part: SlidePart): MediaSource | null => {
    const slide = latest.pictures[index];
    return (part === 'picture' ? slide?.source : slide?.motion) ?? null;
  };

  async function readOnce({ index, part }: Wanted, signal: AbortSignal): Promise<Result> {
    const source = sourceOf(index, part);
    if (source === null) throw new Failure('option_missing');
    if (leftMs <= 0) throw new Failure('platform_timeout', { note: 'the others took all the time' });
    const startMs = performance.now();
    try {
      return await withTimeLimit(Math.min(limitMs, leftMs), signal, (limited) => read(part, source, limited));
    } catch (thrown) {
      leftMs -= performance.now() - startMs;
      throw thrown;
    }
  }

  async function readAgain(): Promise<boolean> {
    try {
      latest = await resolver.resolve(post, signal, { fresh: true });
      return true;
    } catch (thrown) {
      signal.throwIfAborted();
      // The post exists, since it was read; its other statements count.
      if (thrown instanceof Failure && thrown.key.startsWith('platform_')) return false;
      throw thrown;
    }
  }

  async function readPart(wanted: Wanted, partSignal: AbortSignal): Promise<AlbumPart<Result>> {
    for (;;) {
      const triedWith = latest;
      try {
        return { ...wanted, result: await readOnce(wanted, partSignal) };
      } catch (thrown) {
        partSignal.throwIfAborted();
        if (!isOfOneFile(thrown)) throw thrown;
        const mayHaveExpired = thrown.key === 'media_unavailable' && triedWith === post;
        reading ??= mayHaveExpired ? readAgain() : null;
        if (!mayHaveExpired || !(await reading)) return { ...wanted, missing: thrown };
        // Another instance has just read it: asking again for the same addresses gives the same refusals.
        if (latest === triedWith) return { ...wanted, missing: thrown };
      }
    }
  }

  const wanted = [...post.pictures.keys()].flatMap((index): Wanted[] => {
    const hasMotion = motions && sourceOf(index, 'motion') !== null;
    // A slide with no available part is a missing picture.
    const hasPicture = sourceOf(index, 'picture') !== null || !hasMotion;
    return [
      ...(hasPicture ? [{ index, part: 'picture' as const }] : []),
      ...(hasMotion ? [{ index, part: 'motion' as const }] : []),
    ];
  });
  if (atOnce > 1) return yield* inOrder(wanted, atOnce, signal, readPart);
  // Parts are fetched on demand: each may hold memory until it is sent.
  for (const one of wanted) yield await readPart(one, signal);
}

type Wanted = Pick<AlbumPart<unknown>, 'index' | 'part'>;
