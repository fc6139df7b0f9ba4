import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FeedEntry, type FeedHead, feedFormats } from './feeds.ts';

const head: FeedHead = {
  title: 'A & B',
  description: 'What is <new>',
  lang: 'en',
  home: 'https://site.example/posts',
  self: 'https://site.example/feed.xml',
  next: 'https://site.example/feed.xml?page=2&x',
  updatedAt: 0,
};
const entry: FeedEntry = {
  url: 'https://site.example/a',
  title: 'Title',
  summary: 'Summary',
  author: 'Team',
  category: null,
  publishedAt: 0,
  updatedAt: 1000,
  image: { url: 'https://site.example/pictures/a-1.jpg' },
};

const write = (file: string, entries: readonly FeedEntry[]) =>
  feedFormats.find((one) => one.file === file)?.write(head, entries) ?? '';

/** Everything between tags, with the five entities decoded. */
const texts = (xml: string) => [...xml.matchAll(/>([^<]*)</g)].map(([, text = '']) => text);

test.each(['feed.xml', 'atom.xml'])('%s stays XML whatever a title contains', async (file) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (title) => {
      const plain = await write(file, [{ ...entry, title: 'x' }]);
      const made = await write(file, [{ ...entry, title }]);
      expect(made.match(/<[a-z/?:]+/gi)).toEqual(plain.match(/<[a-z/?:]+/gi));
      expect(made).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
      expect(made).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      expect(made.isWellFormed()).toBe(true);
      expect(texts(made)).toHaveLength(texts(plain).length);
    }),
  );
});

test('a JSON feed is JSON, with no entry and with several', async () => {
  expect(JSON.parse(await write('feed.json', [])).items).toEqual([]);
  const made = JSON.parse(await write('feed.json', [entry, { ...entry, category: '"]}' }]));
  expect(made).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', next_url: head.next });
  expect(made.items).toHaveLength(2);
  expect(made.items[1].tags).toEqual(['"]}']);
  expect(made.items[0]).toMatchObject({
    date_published: '1970-01-01T00:00:00.000Z',
    image: entry.image?.url,
  });
});

test('writes dates as each format requires', async () => {
  expect(await write('feed.xml', [entry])).toContain('<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>');
  expect(await write('atom.xml', [entry])).toContain('<updated>1970-01-01T00:00:01.000Z</updated>');
});
