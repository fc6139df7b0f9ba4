import type { FastifyInstance } from 'fastify';
import { Failure } from '../../downloader/failures.ts';
import { readFresh } from '../../downloader/posts/fresh-source.ts';
import type { Post } from '../../downloader/posts/post.ts';
import { type Work, writeWork } from '../../downloader/tickets/work.ts';
import type { ServerParts } from '../parts.ts';
import { openTicket } from './open-ticket.ts';

type ImageWork = Extract<Work, { kind: 'image' }>;

function imageOf(post: Post, work: ImageWork) {
  const source = work.what === 'cover' ? post.cover : post.pictures[work.index]?.source;
  if (!source) throw new Failure('option_missing');
  return { source };
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
    const post = await resolver.resolve(work.post, request.gone);
    const { type, bytes } = await readFresh(
      resolver,
      post,
      request.gone,
      (of) => imageOf(of, work),
      (source) => pictures.preview(writeWork(work), source, work.width),
    );
    return reply
      .type(type)
      .headers({ 'cache-control': 'public, max-age=86400, immutable', 'content-length': bytes.length })
      .send(bytes);
  });
}
