import { expect, test } from 'vitest';
import { type SitemapEntry, sitemapIndex, sitemapPart } from './sitemap-xml.ts';

const origin = 'https://site.example';

async function written(entries: Iterable<SitemapEntry>): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of sitemapPart(origin, entries)) chunks.push(chunk);
  return chunks;
}

test('writes an address with its alternates and its time, and nothing breaks out of the XML', async () => {
  const alternates = [{ hreflang: 'de', path: '/de/a&b' }];
  const [xml] = await written([{ path: '/a"<b>', alternates, changedAt: 0 }]);
  expect(xml).toContain(
    '<loc>https://site.example/a%22%3Cb%3E</loc><lastmod>1970-01-01T00:00:00.000Z</lastmod>',
  );
  expect(xml).toContain('<xhtml:link rel="alternate" hreflang="de" href="https://site.example/de/a&amp;b"/>');
});

test('sends a long part in pieces that make one document', async () => {
  const entries = Array.from({ length: 1000 }, (_, n) => ({ path: `/${n}`, alternates: [] }));
  const chunks = await written(entries);
  expect(chunks.length).toBeGreaterThan(4);
  expect(chunks.join('').match(/<url>/g)).toHaveLength(1000);
  expect(chunks.join('')).toMatch(/^<\?xml [\s\S]*<\/urlset>\n$/);
});

test('the index names the parts', () => {
  expect(sitemapIndex(origin, ['/sitemap-pages-1.xml'])).toContain(
    '<sitemap><loc>https://site.example/sitemap-pages-1.xml</loc></sitemap>',
  );
});
