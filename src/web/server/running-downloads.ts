import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { PostReference } from '../../downloader/posts/post.ts';
import type { PostName, PostResolver } from '../../downloader/posts/resolver.ts';
import { onceClosed } from '../http/disconnect.ts';

/** The files that are being sent, so that one can be stopped whose post is taken down meanwhile. */
export interface RunningDownloads {
  /**
   * Takes note of a file until its connection is done with it, or with another file that is sent through it.
   * @returns the resolver that its post is to be read by: whose post it is, is known then
   */
  track(post: PostReference, response: ServerResponse, resolver: PostResolver): PostResolver;
  /** How many files are being sent. */
  readonly size: number;
  /** Breaks off every file whose post is not to be had any more. Asks nobody: a slow platform holds no takedown up. */
  recheck(): void;
}

/**
 * Keeps the downloads of this process until they end.
 * @param isWithheld asked with a handle as soon as that is known; before, the post is still to be read, and asked for then
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
