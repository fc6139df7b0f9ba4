import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { PostReference } from '../../../downloader/posts/post.ts';
import type { PostResolver } from '../../../downloader/posts/resolver.ts';
import { Failure } from '../../../failures/failures.ts';

/** The files that are being sent, so that one can be stopped whose post is taken down meanwhile. */
export interface RunningDownloads {
  /** Takes note of a file until its connection is done with it. */
  track(post: PostReference, response: ServerResponse): void;
  /** Breaks off every file whose post is not to be had any more. */
  recheck(): Promise<void>;
}

/** Reading the post again tells; a platform that does not answer stops nobody's download. */
const recheckLimitMs = 10_000;

export function createRunningDownloads(
  resolver: Pick<PostResolver, 'resolve'>,
  log: Pick<FastifyBaseLogger, 'info'>,
): RunningDownloads {
  const running = new Map<ServerResponse, PostReference>();

  async function isWithheld(post: PostReference): Promise<boolean> {
    try {
      await resolver.resolve(post, AbortSignal.timeout(recheckLimitMs));
      return false;
    } catch (thrown) {
      return thrown instanceof Failure && thrown.key === 'post_withheld';
    }
  }

  return {
    track(post, response) {
      running.set(response, post);
      response.once('close', () => running.delete(response));
    },
    async recheck() {
      await Promise.all(
        [...running].map(async ([response, post]) => {
          if (!(await isWithheld(post))) return;
          log.info({ post: post.id }, 'download stopped: its post was taken down');
          // A clean end would be a truncated file that looks whole.
          response.destroy();
        }),
      );
    },
  };
}
