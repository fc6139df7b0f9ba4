import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { PostReference } from '../../downloader/post/post.ts';
import type { PostName, PostResolver } from '../../downloader/posts/resolver.ts';
import { onceClosed } from '../http/disconnect.ts';

/** Tracks the downloads of this process until they end. */
export function createRunningDownloads(log: Pick<FastifyBaseLogger, 'info'>) {
  let isWithheld = (_post: PostName) => false;
  const running = new Map<ServerResponse, PostName>();

  function check(response: ServerResponse): void {
    const post = running.get(response);
    if (post === undefined || !isWithheld(post)) return;
    log.info({ post: post.id }, 'download stopped: its post was taken down');
    // A clean end would be a truncated file that looks whole.
    response.destroy();
  }

  return {
    /** How many files are being sent. */
    get size() {
      return running.size;
    },
    /**
     * Tracks a file until its connection is done with it, or sends another file.
     * @returns the resolver to read its post with, which reveals the post's author
     */
    track({ platform, id }: PostReference, response: ServerResponse, resolver: PostResolver): PostResolver {
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
    /**
     * Breaks off every file of a withheld post, now and when it is known whose it is. It makes no request: a slow platform
     * does not delay a takedown.
     */
    stop(given: (post: PostName) => boolean) {
      isWithheld = given;
      for (const response of running.keys()) check(response);
    },
  };
}

/** The files being sent, so that one can be stopped when its post is taken down meanwhile. */
export type RunningDownloads = ReturnType<typeof createRunningDownloads>;
