import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Post } from '../../downloader/post/post.ts';
import { readFresh } from '../../downloader/posts/fresh-source.ts';
import { type TicketFile, writeTicketFile } from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { openTicket } from './open-ticket.ts';

type ImageWork = Extract<TicketFile, { kind: 'image' }>;

function imageOf(post: Post, work: ImageWork) {
  const source = work.what === 'cover' ? post.cover : post.pictures[work.index]?.source;
  if (!source) throw new Failure('option_missing');
  return { source };
}

type PictureRequest = FastifyRequest<{
  Params: { ticket: string };
  /** Origin of the backend that has the picture, where it is not this site. */
  Querystring: { at?: string | string[] };
}>;

interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array;
}

async function ownPicture(request: PictureRequest, parts: ServerDependencies): Promise<Picture> {
  const { resolver, pictures, limits } = parts;
  const work = await openTicket(request, parts);
  if (work.kind !== 'image') throw new Failure('ticket_invalid');
  await limits.files(request.visitor);
  const post = await resolver.resolve(work.post, request.disconnected);
  return readFresh(
    resolver,
    post,
    request.disconnected,
    (of) => imageOf(of, work),
    (source) => pictures.preview(writeTicketFile(work), source, work.width, limits.turns(request.visitor)),
  );
}

async function backendPicture(
  request: PictureRequest,
  parts: ServerDependencies,
  at: string,
): Promise<Picture> {
  await parts.limits.files(request.visitor);
  return parts.readPictureAt(at, request.params.ticket, request.disconnected);
}

/** `GET /api/pictures/{ticket}`: covers and previews, resized, from our own origin. */
export function picturesEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  app.get('/api/pictures/:ticket', async (request: PictureRequest, reply) => {
    const { at } = request.query;
    const { type, bytes } = await (at === undefined
      ? ownPicture(request, parts)
      : backendPicture(request, parts, String(at)));
    return reply
      .type(type)
      .headers({ 'cache-control': 'public, max-age=86400, immutable', 'content-length': bytes.length })
      .send(bytes);
  });
}
