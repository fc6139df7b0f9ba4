import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { acceptedEncoding } from '../http/compression.ts';
import { sendText } from '../http/send.ts';
import type { ServerParts } from '../parts.ts';
import { createSitemapParts } from './sitemap-parts.ts';
import { sitemapSources } from './sitemap-sources.ts';
import { sitemapIndex } from './sitemap-xml.ts';

const type = 'application/xml; charset=utf-8';
const maxAgeS = 3600;

/** `/sitemap.xml`, an index of the parts, and the parts. */
export function sitemaps(
  app: FastifyInstance,
  { configuration, content, contentRevision, origin }: ServerParts,
): void {
  const sources = sitemapSources(configuration, content);
  const parts = createSitemapParts(origin, contentRevision);

  app.get('/sitemap.xml', async (request, reply) => {
    const counts = await Promise.all(
      sources.map(async (source) => ({ name: source.name, count: await source.parts() })),
    );
    const paths = counts.flatMap(({ name, count }) =>
      Array.from({ length: count }, (_part, n) => `/sitemap-${name}-${n + 1}.xml`),
    );
    return sendText(sitemapIndex(origin, paths), { type, maxAgeS }, request, reply);
  });

  app.get<{ Params: { name: string; part: string } }>(
    '/sitemap-:name([a-z-]+)-:part([1-9][0-9]{0,3}).xml',
    async (request, reply) => {
      const { name } = request.params;
      const part = Number(request.params.part);
      const source = sources.find((one) => one.name === name);
      if (source === undefined || part > (await source.parts())) return reply.callNotFound();
      const zipped = await parts(source, part);
      reply.type(type).headers({ 'cache-control': `public, max-age=${maxAgeS}`, vary: 'Accept-Encoding' });
      if (acceptedEncoding(request.headers['accept-encoding']) === null)
        return reply.send(Readable.from([zipped]).pipe(createGunzip()));
      return reply.header('content-encoding', 'gzip').send(zipped);
    },
  );
}
