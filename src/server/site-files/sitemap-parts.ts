import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { tagOf } from '../http/responses/send.ts';
import type { SitemapSource } from './sitemap-sources.ts';
import { sitemapPart } from './sitemap-xml.ts';

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

export type SitemapParts = (source: SitemapSource, part: number) => Promise<SitemapPart>;

/**
 * Generates parts one after another, each once for concurrent callers, and caches them until the content changes.
 * @param revision of the content
 */
export function createSitemapParts(origin: string, revision: () => number): SitemapParts {
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
  return (source, part) =>
    kept.forceFetch(`${revision()} ${source.name} ${part}`, { context: () => make(source, part) });
}
