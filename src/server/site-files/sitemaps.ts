import type { FastifyInstance } from 'fastify';
import { sendText, sendZipped } from '../http/responses/send.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { createCachedTexts } from './cached-texts.ts';
import { createSitemapParts } from './sitemap-parts.ts';
import { sitemapSources } from './sitemap-sources.ts';
import { sitemapIndex } from './sitemap-xml.ts';

const type = 'application/xml; charset=utf-8';
const maxAgeS = 3600;

/** `/sitemap.xml`, an index of the parts, and the parts. */
export function sitemaps(
  app: FastifyInstance,
  { configuration, content, contentRevision, limits, origin }: ServerDependencies,
): void {
  const sources = sitemapSources(configuration, content);
  const parts = createSitemapParts(origin, contentRevision);
  const texts = createCachedTexts(contentRevision);

  async function writeIndex(): Promise<string> {
    const counts = await Promise.all(
      sources.map(async (source) => ({ name: source.name, count: await source.parts() })),
    );
    const paths = counts.flatMap(({ name, count }) =>
      Array.from({ length: count }, (_part, n) => `/sitemap-${name}-${n + 1}.xml`),
    );
    return sitemapIndex(origin, paths);
  }

  app.get('/sitemap.xml', async (request, reply) => {
    await limits.lists(request.visitor);
    const index = await texts('index', writeIndex);
    return index === null ? reply.callNotFound() : sendText(index, { type, maxAgeS }, request, reply);
  });

  app.get<{ Params: { name: string; part: string } }>(
    '/sitemap-:name([a-z-]+)-:part([1-9][0-9]{0,3}).xml',
    async (request, reply) => {
      const { name } = request.params;
      const part = Number(request.params.part);
      const source = sources.find((one) => one.name === name);
      if (source === undefined || part > (await source.parts())) return reply.callNotFound();
      return sendZipped(await parts(source, part), { type, maxAgeS }, request, reply);
    },
  );
}
