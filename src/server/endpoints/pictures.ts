import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

type PictureRequest = FastifyRequest<{ Params: { ticket: string } }>;

async function readPicture(request: PictureRequest, parts: ServerDependencies) {
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

/** Sends a picture of a post, which stays the same at its address. */
export const sendPicture = (
  reply: FastifyReply,
  { type, bytes }: { readonly type: string; readonly bytes: Uint8Array },
): FastifyReply =>
  reply
    .type(type)
    .headers({ 'cache-control': 'public, max-age=86400, immutable', 'content-length': bytes.length })
    .send(bytes);

/** `GET /api/pictures/{ticket}`: covers and previews, resized, from our own origin. */
export function picturesEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  app.get('/api/pictures/:ticket', async (request: PictureRequest, reply) =>
    sendPicture(reply, await readPicture(request, parts)),
  );
}
