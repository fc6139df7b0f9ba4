import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { sendText, sendZipped, tagOf } from '../http/responses/send.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { createCachedTexts } from './cached-texts.ts';
import { type SitemapSource, sitemapSources } from './sitemap-sources.ts';
import { sitemapIndex, sitemapPart } from './sitemap-xml.ts';

/** Compressed, a part of 2,000 addresses in 24 languages takes some 100 kB. */
const maxCachedBytes = 16 * 2 ** 20;
/** The operator's changes apply at once; another server's lists may change unannounced. */
const cacheLifeMs = 600_000;

/** A part of a sitemap. */
interface SitemapPart {
  /** Compressed with gzip. */
  readonly zipped: Buffer;
  /** Names these bytes. */
  readonly tag: string;
}

/**
 * Generates parts one after another, each once for concurrent callers, and caches them until the content changes.
 * @param revision of the content
 */
export function createSitemapParts(origin: string, revision: () => number) {
  let last: Promise<unknown> = Promise.resolve();

  async function make(source: SitemapSource, part: number): Promise<SitemapPart> {
    const xml = Readable.from(sitemapPart(origin, source.entries(part)));
    const gzip = createGzip();
    // A part that breaks off must not look whole.
    xml.once('error', (error) => gzip.destroy(error));
    const zipped = await buffer(xml.pipe(gzip));
    return { zipped, tag: tagOf(zipped) };
  }

  const kept = new LRUCache<string, SitemapPart, () => Promise<SitemapPart>>({
    maxSize: maxCachedBytes,
    ttl: cacheLifeMs,
    sizeCalculation: ({ zipped }) => zipped.length,
    fetchMethod(_name, _old, { context: begin }) {
      const turn = last.then(begin);
      last = turn.catch(() => {});
      return turn;
    },
    // A part that found no room is still for those who wait.
    ignoreFetchAbort: true,
  });
  return (source: SitemapSource, part: number): Promise<SitemapPart> =>
    kept.forceFetch(`${revision()} ${source.name} ${part}`, { context: () => make(source, part) });
}

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
