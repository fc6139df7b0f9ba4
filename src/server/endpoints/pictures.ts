import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pictureFormats } from '../../content/content.ts';
import type { Post } from '../../downloader/post/post.ts';
import { readFresh } from '../../downloader/posts/fresh-source.ts';
import { type TicketFile, writeTicketFile } from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { openTicket } from './requested-file.ts';

const types = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', svg: 'image/svg+xml' } as const;

/** `{id}-{width}.{format}`; a picture that changes gets another id. */
const namePattern = /^([0-9a-f]{20})-([1-9]\d{0,4})\.([a-z]+)$/;

/** `GET /pictures/{id}-{width}.{format}`: pictures of articles and authors. */
export function articlePicturesEndpoint(app: FastifyInstance, { content }: ServerDependencies): void {
  app.get<{ Params: { name: string } }>('/pictures/:name', async (request, reply) => {
    const [, id = '', width = '', extension] = namePattern.exec(request.params.name) ?? [];
    const format = pictureFormats.find((one) => one === extension);
    const bytes = format === undefined ? null : await content.pictureFile(id, Number(width), format);
    if (format === undefined || bytes === null) throw new Failure('picture_missing');
    return reply
      .type(types[format])
      .headers({ 'cache-control': 'public, max-age=31536000, immutable' })
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
}

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
