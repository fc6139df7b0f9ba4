import type { FastifyInstance } from 'fastify';
import { pictureFormats } from '../../content/content.ts';
import { Failure } from '../../failures/failures.ts';
import type { ServerDependencies } from '../instance/parts.ts';

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
