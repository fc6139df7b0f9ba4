import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, recogniseAll } from '../../../downloader/links/recognise.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import { zipFiles } from '../../../downloader/media/zip.ts';
import { readDate } from './dates.ts';
import { mostPosts } from './messages.ts';
import { readExport } from './read-export.ts';
import { UnreadableExport } from './sections.ts';

const idOf = (n: number) => String(7_300_000_000_000_000_000n + BigInt(n));
const link = (n: number) => `https://www.tiktokv.com/share/video/${idOf(n)}/`;
const address = (n: number) => `https://www.tiktok.com/@/video/${idOf(n)}`;
const row = (n: number, date = '2024-03-01 12:34:56') => ({ Date: date, Link: link(n) });

const everything = { from: 0, to: Number.MAX_SAFE_INTEGER };
const json = (value: unknown) => new File([JSON.stringify(value)], 'user_data_tiktok.json');
const failing = async (given: Blob | string) => {
  const thrown = await readExport([given]).catch((error: unknown) => error);
  return thrown instanceof UnreadableExport ? thrown.reason : thrown;
};
const listed = async (...given: (Blob | string)[]) => {
  const sections = await readExport(given);
  return sections.summaries().map(({ kind, title, count }) => [kind, title, count]);
};

async function archive(files: Readonly<Record<string, string>>): Promise<File> {
  const entries = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text);
    return {
      name,
      modified: new Date(0),
      size: bytes.length,
      stream: (async function* () {
        yield bytes;
      })(),
    };
  });
  const pieces: BlobPart[] = [];
  for await (const piece of zipFiles(entries)) pieces.push(piece as BlobPart);
  return new File(pieces, 'TikTok_Data.zip');
}

/** A file that says to be larger. */
const ofSize = (file: File, size: number) => Object.defineProperty(file, 'size', { value: size });

/** A file that comes in pieces, wherever they end; its first letters come together, as from every disk. */
function inPieces(text: string, length: number): File {
  const bytes = new TextEncoder().encode(text);
  const pieces = [bytes.slice(0, 8)];
  for (let at = 8; at < bytes.length; at += length) pieces.push(bytes.slice(at, at + length));
  return Object.assign(new File([bytes], 'user_data.json'), {
    stream: () =>
      new ReadableStream({
        start: (to) => {
          for (const one of pieces) to.enqueue(one);
          to.close();
        },
      }),
  });
}

/** The links of posts in an export with their dates, by its shape. */
function rowsOf(value: unknown, date: unknown): string[] {
  if (typeof value === 'string') {
    const [post] = recogniseAll(value, linkTables, 1);
    return post === undefined ? [] : [`${addressOf(post, linkTables)} ${readDate(date)}`];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => rowsOf(one, null));
  const fields = Object.entries(value);
  const own = fields.find(([name, held]) => /date|time/i.test(name) && readDate(held) !== null)?.[1];
  return fields.flatMap(([name, held]) =>
    typeof held === 'string' && !/link|url/i.test(name) ? [] : rowsOf(held, own),
  );
}

/** An archive of one packed file, with any stated size. */
function packed(name: string, content: Buffer, stated = content.length): File {
  const bytes = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(bytes.length, 20);
  entry.writeUInt32LE(stated, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + bytes.length, 16);
  return new File([local, name, bytes, entry, name, end], 'data.zip');
}

describe('an export', () => {
  it('is read by its shape, under the names of any year', async () => {
    const lists = {
      'Like List': { ItemFavoriteList: [row(1), { date: '2024-03-01 12:34:56', link: link(2) }] },
      'Favorite Videos': { FavoriteVideoList: [row(3)] },
    };
    const [old, present] = [{ Activity: lists }, { 'Likes and Favorites': lists }];
    for (const likes of [old, present])
      expect(
        await listed(
          json({
            ...likes,
            'Your Activity': {
              'Watch History': { VideoList: [row(4), row(4), row(5)] },
              'Share History': { ShareHistoryList: [{ ...row(6), SharedContent: 'video' }] },
              Hashtag: { HashtagList: [{ HashtagName: 'x', HashtagLink: 'https://www.tiktok.com/tag/x' }] },
            },
            Post: { Posts: { VideoList: [{ ...row(7), Likes: '3' }] } },
            'New Things': { ThingList: [{ VideoLink: link(8) }] },
          }),
        ),
      ).toEqual([
        ['likes', 'ItemFavoriteList', 2],
        ['favourites', 'FavoriteVideoList', 1],
        ['watched', 'Watch History', 2],
        ['shared', 'ShareHistoryList', 1],
        ['own', 'Posts', 1],
        ['other', 'ThingList', 1],
      ]);
  });

  it('comes in an archive, stored or packed, with what else is in it', async () => {
    const text = `Date: 2024-03-01 12:34:56 UTC\nLink: ${link(1)}\n\nDate: 2024-03-02 10:00:00 UTC\nLink: ${link(2)}\n`;
    const files = { 'TikTok/Likes and Favorites/Like List.txt': text, 'TikTok/photo.jpg': 'JPEG' };
    expect(await listed(await archive(files))).toEqual([['likes', 'Like List', 2]]);
    const { posts } = (await readExport([await archive(files)])).choose({ sections: [0], ...everything });
    expect(posts).toEqual([
      { link: address(1), section: 'likes', date: Date.UTC(2024, 2, 1, 12, 34, 56) },
      { link: address(2), section: 'likes', date: Date.UTC(2024, 2, 2, 10) },
    ]);
    expect(await listed(packed('user_data.json', Buffer.from(JSON.stringify([row(1)]))))).toEqual([
      ['links', '', 1],
    ]);
  });

  it('may be bookmarks, a table or links', async () => {
    const html = `<DL><DT><A HREF="${link(1)}" ADD_DATE="1700000000">one</A><DT><A HREF="${link(2)}">two</A></DL>`;
    const { posts } = (await readExport([new File([html], 'bookmarks.html')])).choose({
      sections: [0],
      ...everything,
    });
    expect(posts.map(({ link: of, date }) => [of, date])).toEqual([
      [address(1), 1_700_000_000_000],
      [address(2), null],
    ]);
    expect(
      await listed(new File([`date,link\n2024-01-01,${link(1)}\n2024-01-02,"${link(2)}"`], 'links.csv')),
    ).toEqual([['links', '', 2]]);
    expect(await listed(`vm.tiktok.com/ZMabcdefg and ${link(3)} ${link(3)}`)).toEqual([['links', '', 2]]);
  });

  it('is chosen by lists and time, each post once', async () => {
    const sections = await readExport([
      json({
        'Like List': [row(1, '2023-01-01'), row(2, '2024-01-01'), row(2)],
        Favorites: [row(2), row(3, '')],
      }),
    ]);
    const from = Date.UTC(2023, 6);
    const chosen = sections.choose({ sections: [0, 1], from, to: everything.to });
    expect(chosen).toMatchObject({ count: 2, doubles: 2 });
    expect(chosen.posts.map((post) => post.link)).toEqual([address(2), address(3)]);
  });

  it('of 100,000 posts is shown, and taken in parts', async () => {
    const sections = await readExport([
      json({ 'Like List': Array.from({ length: 100_000 }, (_, n) => row(n)) }),
    ]);
    const chosen = sections.choose({ sections: [0], ...everything });
    expect(chosen.count).toBeGreaterThan(mostPosts);
    expect(chosen.posts).toEqual([]);
  });

  it('is read as JSON.parse reads it, in pieces of any length', async () => {
    const name = fc.constantFrom('Link', 'VideoLink', 'Date', 'date', 'Like List', 'Favorites', 'a "b"', 'ü');
    const leaf = fc.oneof(
      fc.integer({ min: 0, max: 50 }).map(link),
      fc.constantFrom('2024-03-01 12:34:56', '2023-01-02', 'https://example.com/', 'vm.tiktok.com/ZMabcdefg'),
      fc.constantFrom(1_700_000_000, null, true, -1.5e3),
      fc.string(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const roots = fc.oneof(fc.array(value, { maxLength: 4 }), fc.dictionary(name, value, { maxKeys: 4 }));
    const writings = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.replaceAll('/', '\\/'),
      (text) => `\uFEFF ${text}\n`,
    );
    await fc.assert(
      fc.asyncProperty(roots, writings, fc.integer({ min: 1, max: 40 }), async (root, write, length) => {
        const text = write(JSON.stringify(root, null, length % 3));
        const found: string[] = [];
        const thrown = await readExport([inPieces(text, length)]).then(
          (sections) => {
            const all = sections.summaries().map((_, at) => at);
            for (const at of all)
              for (const post of sections.choose({ sections: [at], ...everything }).posts)
                found.push(`${post.link} ${post.date}`);
          },
          (error: unknown) => error,
        );
        const expected = [...new Set(rowsOf(root, null))];
        expect(thrown).toEqual(expected.length === 0 ? new UnreadableExport('no_posts') : undefined);
        expect(expected).toEqual(expect.arrayContaining(found));
        const posts = (rows: readonly string[]) => new Set(rows.map((one) => one.split(' ', 1)[0]));
        expect(posts(found)).toEqual(posts(expected));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['another company’s', json({ tweets: [{ url: 'https://x.com/a/status/1' }] }), 'no_posts'],
    ['a deep one', new File(['['.repeat(100_000), ']'.repeat(100_000)], 'deep.json'), 'no_posts'],
    ['half of one', new File(['{"Like List": [{"Link": "'], 'half.json'), 'broken'],
    ['an archive without its end', new File(['PK\u0003\u0004', 'x'.repeat(100)], 'half.zip'), 'broken'],
    [
      'an archive of nothing packed',
      new File(
        [packed('a.json', Buffer.from('[]')).slice(0, 40), packed('a.json', Buffer.from('[]')).slice(33)],
        'odd.zip',
      ),
      'broken',
    ],
    ['a bomb', packed('a.json', Buffer.alloc(200 * 2 ** 20, ' '), 10), 'too_large'],
    ['an archive of 500 MB', ofSize(new File(['PK\u0003\u0004'], 'all.zip'), 500e6), 'too_large'],
    ['a film', new File([Buffer.alloc(1000, 255)], 'film.mp4'), 'no_posts'],
  ])('%s is refused with its reason', async (_, file, reason) => expect(await failing(file)).toBe(reason));

  it('of any bytes is read, or refused with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.json(), fc.string()), async (any) => {
        const begun =
          typeof any === 'string'
            ? any
            : Buffer.concat([Buffer.from('PK\u0003\u0004'), any, Buffer.from('PK\u0005\u0006'), any]);
        expect(['no_posts', 'broken', 'too_large']).toContain(
          await failing(new File([begun as BlobPart], 'any')),
        );
      }),
      { numRuns: 200 },
    );
  });
});
