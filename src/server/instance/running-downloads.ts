import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { PostReference } from '../../downloader/post/post.ts';
import type { PostName, PostResolver } from '../../downloader/posts/resolver.ts';
import { onceClosed } from '../http/disconnect.ts';

/** The files being sent, so that one can be stopped when its post is taken down meanwhile. */
export interface RunningDownloads {
  /**
   * Tracks a file until its connection is done with it, or sends another file.
   * @returns the resolver to read its post with, which reveals the post's author
   */
  track(post: PostReference, response: ServerResponse, resolver: PostResolver): PostResolver;
  /** How many files are being sent. */
  readonly size: number;
  /** Breaks off every file of a withheld post. It makes no request: a slow platform does not delay a takedown. */
  recheck(): void;
}

/**
 * Tracks the downloads of this process until they end.
 * @param isWithheld called with a handle as soon as it is known; before that the post is still to be read and is
 *   checked then
 */
export function createRunningDownloads(
  isWithheld: (post: PostName) => boolean,
  log: Pick<FastifyBaseLogger, 'info'>,
): RunningDownloads {
  const running = new Map<ServerResponse, PostName>();

  function check(response: ServerResponse): void {
    const post = running.get(response);
    if (post === undefined || !isWithheld(post)) return;
    log.info({ post: post.id }, 'download stopped: its post was taken down');
    // A clean end would be a truncated file that looks whole.
    response.destroy();
  }

  return {
    get size() {
      return running.size;
    },
    track({ platform, id }, response, resolver) {
      const isNew = !running.has(response);
      running.set(response, { platform, id, handle: null });
      if (isNew) onceClosed(response, () => running.delete(response));
      return {
        ...resolver,
        async resolve(...asked) {
          const post = await resolver.resolve(...asked);
          if (running.has(response)) running.set(response, { platform, id, handle: post.author.handle });
          // A takedown may have come between the reading and this moment.
          check(response);
          return post;
        },
      };
    },
    recheck() {
      for (const response of running.keys()) check(response);
    },
  };
}
