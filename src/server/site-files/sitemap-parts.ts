import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { SitemapSource } from './sitemap-sources.ts';
import { sitemapPart } from './sitemap-xml.ts';

/** Compressed, a part of 2,000 addresses in 24 languages takes some 100 kB. */
const keptBytes = 16 * 2 ** 20;
/** What the operator changes shows at once; lists of another server may change without a word. */
const keptMs = 600_000;

/** Gives a part of a sitemap, compressed with gzip. */
export type SitemapParts = (source: SitemapSource, part: number) => Promise<Buffer>;

/**
 * Makes parts one after another, each once for all who ask, and keeps them until the content changes.
 * @param revision of the content
 */
export function createSitemapParts(origin: string, revision: () => number): SitemapParts {
  const kept = new LRUCache<string, Buffer>({
    maxSize: keptBytes,
    ttl: keptMs,
    sizeCalculation: (xml) => xml.length,
  });
  const making = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();

  async function make(source: SitemapSource, part: number): Promise<Buffer> {
    const xml = Readable.from(sitemapPart(origin, source.entries(part)));
    const zipped = createGzip();
    // A part that breaks off must not look whole.
    xml.once('error', (error) => zipped.destroy(error));
    return buffer(xml.pipe(zipped));
  }

  return async (source, part) => {
    const name = `${revision()} ${source.name} ${part}`;
    const present = kept.get(name) ?? making.get(name);
    if (present !== undefined) return present;
    const turn = last.then(() => make(source, part));
    last = turn.catch(() => {});
    making.set(name, turn);
    try {
      const xml = await turn;
      kept.set(name, xml);
      return xml;
    } finally {
      making.delete(name);
    }
  };
}
