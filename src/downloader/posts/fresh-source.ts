import { Failure } from '../../failures/failures.ts';
import type { MediaSource, Post } from '../post/post.ts';
import type { PostResolver } from './resolver.ts';

/** Reads the post again for fresh addresses of the same file. */
export type RefreshSource = (signal: AbortSignal) => Promise<MediaSource>;

/** Finds a file in a post, also in the one that was read again. @throws Failure when the post does not have it */
export type PickFile<File> = (post: Post, signal: AbortSignal) => File | Promise<File>;

type Resolver = Pick<PostResolver, 'resolve'>;
type PostFile = { readonly source: MediaSource };

/** A file of a post, and how to get fresh addresses when they have expired. */
export async function withFreshSource<File extends PostFile>(
  resolver: Resolver,
  post: Post,
  signal: AbortSignal,
  pick: PickFile<File>,
): Promise<{ readonly file: File; readonly refresh: RefreshSource }> {
  return {
    file: await pick(post, signal),
    refresh: async (later) => {
      const read = await resolver.resolve(post, later, { fresh: true });
      return (await pick(read, later)).source;
    },
  };
}

/** Reads a file of a post, and once more from fresh addresses when it is unavailable. */
export async function readFresh<Result>(
  resolver: Resolver,
  post: Post,
  signal: AbortSignal,
  pick: PickFile<PostFile>,
  read: (source: MediaSource) => Promise<Result>,
): Promise<Result> {
  const { file, refresh } = await withFreshSource(resolver, post, signal, pick);
  try {
    return await read(file.source);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.key !== 'media_unavailable') throw thrown;
    return read(await refresh(signal));
  }
}
