import type { FastifyInstance } from 'fastify';
import { Failure } from '../../downloader/failures.ts';
import type { Post } from '../../downloader/posts/post.ts';
import { type Work, writeWork } from '../../downloader/tickets/work.ts';
import type { ServerParts } from '../parts.ts';
import { openTicket } from './open-ticket.ts';

type ImageWork = Extract<Work, { kind: 'image' }>;

function sourceOf(post: Post, work: ImageWork) {
  const source = work.what === 'cover' ? post.cover : post.pictures[work.index]?.source;
  if (!source) throw new Failure('option_missing');
  return source;
}

/** `GET /api/pictures/{ticket}`: covers and previews, resized, from our own origin. */
export function picturesEndpoint(
  app: FastifyInstance,
  { tickets, resolver, pictures, limits }: ServerParts,
): void {
  app.get<{ Params: { ticket: string } }>('/api/pictures/:ticket', async (request, reply) => {
    const work = await openTicket(request, { tickets, limits });
    if (work.kind !== 'image') throw new Failure('ticket_invalid');
    await limits.files(request.visitor);
    const name = writeWork(work);
    const read = async (fresh: boolean) => {
      const post = await resolver.resolve(work.post, request.gone, { fresh });
      return pictures.preview(name, sourceOf(post, work), work.width);
    };
    let file: Awaited<ReturnType<typeof read>>;
    try {
      file = await read(false);
    } catch (thrown) {
      // An address that expired between reading the post and showing it is read once more.
      if (!(thrown instanceof Failure) || thrown.key !== 'media_unavailable') throw thrown;
      file = await read(true);
    }
    return reply
      .type(file.type)
      .headers({ 'cache-control': 'public, max-age=86400, immutable', 'content-length': file.bytes.length })
      .send(file.bytes);
  });
}
