import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../stores/contracts/database.ts';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createDatabasePictures } from '../../stores/embedded/database-pictures.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { ImportRefused, type Problem } from '../files/problems.ts';
import { contentOf } from '../testing/content.ts';
import { exportContent } from './export-content.ts';
import { batchesOf, importContent } from './import-content.ts';

const now = Date.UTC(2026, 10, 21);
const names = { locales: ['en', 'de', 'ar'], isTaken: (slug: string) => slug === 'contact' };

let folder: string;

function put(path: string, content: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
}

const front = (changes: Record<string, string> = {}) =>
  Object.entries({
    title: 'A title',
    description: 'What it is about',
    category: 'guides',
    author: 'editors',
    published: '2026-11-20',
    ...changes,
  })
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

const putArticle = (key: string, changes: Record<string, string> = {}, body = 'A text.', locale = 'en') =>
  put(`articles/${key}/${locale}.md`, `---\n${front(changes)}---\n\n${body}\n`);

const run = (database: Database, options: { dryRun?: boolean; folder?: string; tryTexts?: boolean } = {}) =>
  importContent(database, {
    folder,
    parts: ['categories', 'authors', 'articles'],
    names,
    dryRun: false,
    // Processes take longest to start; only the tests about them use them.
    tryTexts: false,
    now,
    pictures: createDatabasePictures(database.query),
    onProgress: () => {},
    ...options,
  });

async function problemsOf(database: Database): Promise<readonly Problem[]> {
  try {
    await run(database, { tryTexts: true });
  } catch (error) {
    if (error instanceof ImportRefused)
      return error.problems.map((problem) => ({ ...problem, file: problem.file.slice(folder.length + 1) }));
    throw error;
  }
  return [];
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-import-'));
  put('categories/guides.yaml', 'uid: 1\nslug: guides\nnames:\n  en: Guides\n  de: Anleitungen\n');
  put(
    'authors/editors/en.md',
    '---\nname: Editors\nlinks:\n  - text: Contact\n    url: /contact\n---\nWe write.',
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(engines)('$name', (engine) => {
  // The checks before the first write do not depend on the database.
  const refusing = test.runIf(engine.name === 'sqlite');

  test('turns a folder into articles; a second run changes nothing; an edited file changes its page', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const content = contentOf(database.query, () => now);
    putArticle('one', { hot: 'true', keywords: 'a, b', updated: '2026-11-20T10:00:00+02:00' });
    putArticle('one', { title: 'Ein Titel' }, 'Ein Text.', 'de');
    putArticle('two', { published: '2026-11-21T08:00:00Z' });
    expect(await run(database, { dryRun: true })).toMatchObject({
      articles: { added: 3, changed: 0, unchanged: 0 },
    });
    expect((await content.categories('en')).length).toBe(0);
    expect(await run(database)).toMatchObject({ articles: { added: 3, changed: 0, unchanged: 0 } });
    expect(await run(database)).toMatchObject({ articles: { added: 0, changed: 0, unchanged: 3 } });
    expect(await content.article('en', 'one')).toMatchObject({
      title: 'A title',
      keywords: 'a, b',
      body: 'A text.',
      updatedAt: Date.UTC(2026, 10, 20, 8),
    });
    const listed = await content.articles({ locale: 'en', list: 'all', page: 1, size: 10 });
    expect(listed.articles.map(({ slug }) => slug)).toEqual(['two', 'one']);
    const seen = (await database.query.selectFrom('changes').select('id').execute()).length;

    putArticle('two', { slug: 'number-two' }, 'Another text.');
    expect(await run(database)).toMatchObject({ articles: { added: 0, changed: 1, unchanged: 2 } });
    expect(await content.article('en', 'two')).toBeNull();
    expect(await content.article('en', 'number-two')).toMatchObject({ body: 'Another text.' });
    const changes = await database.query
      .selectFrom('changes')
      .select(['subject', 'locale', 'name'])
      .orderBy('id')
      .execute();
    expect(changes.slice(seen)).toEqual([
      { subject: 'article', locale: 'en', name: 'number-two' },
      { subject: 'article', locale: 'en', name: 'two' },
    ]);
  });

  refusing('one wrong file keeps all others out, and every mistake is told with file and line', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    putArticle('right');
    putArticle('wrong-category', { category: 'no-such', author: 'nobody' });
    putArticle('wrong-date', { published: '2026-02-30x', updated: '2020-01-01' });
    putArticle('future', { published: '2027-01-01' });
    putArticle('wrong-slug', { slug: 'contact' });
    putArticle('twice', { slug: 'right' });
    putArticle('no-picture', { cover: 'missing.jpg' }, '\n\nText.\n\n![A phone](phone.png)');
    putArticle('unknown-field', { titel: 'x' });
    putArticle('no-language', {}, 'x', 'xx');
    put('articles/no-front/en.md', 'Just text.');
    put('articles/broken/en.md', '---\ntitle: "open\ndescription: x\n---\nText.');
    put('articles/untitled/en.md', `---\n${front().replace('title: A title\n', '')}---\nText.`);
    put('articles/damaged/en.md', `---\n${front({ cover: 'cover.png' })}---\nText.`);
    put('articles/damaged/cover.png', 'this is no picture');
    const many = { description: '""', category: 'no-such', author: 'nobody', published: 'soon' };
    putArticle('many', { ...many, cover: 'missing.jpg' }, '![A phone](phone.png)');
    const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#3a7' } })
      .jpeg()
      .toBuffer();
    putArticle('cut', {}, '![A field](picture.jpg)');
    put('articles/cut/picture.jpg', photo.subarray(0, photo.length - 200));
    // Its articles make no mistake.
    put('categories/wrong.yaml', 'uid: 9\nslug: wrong\nposition: first\nnames: {en: Wrong}\n');
    putArticle('in-wrong', { category: 'wrong' });
    const problems = await problemsOf(database);
    const reported = problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`).sort();
    expect(reported).toEqual(
      [
        'articles/broken/en.md:4: Missing closing "quote',
        'articles/damaged/en.md:7: cover.png is no picture that can be read',
        'articles/future/en.md:6: published: lies in the future',
        'articles/no-front/en.md:1: does not start with fields between two lines of "---"',
        'articles/no-language/xx.md:0: "xx" is no language of the site',
        'articles/no-picture/en.md:14: there is no picture phone.png beside it',
        'articles/no-picture/en.md:7: there is no picture missing.jpg beside it',
        'articles/twice/en.md:7: "/right" is the address of FOLDER/articles/right/en.md already',
        'articles/unknown-field/en.md:7: there is no field "titel"',
        'articles/untitled/en.md:2: title: is missing',
        'articles/wrong-category/en.md:4: category: there is no category "no-such"',
        'articles/wrong-category/en.md:5: author: there is no author "nobody"',
        'articles/many/en.md:10: there is no picture phone.png beside it',
        'articles/many/en.md:3: description: must not be empty',
        'articles/many/en.md:4: category: there is no category "no-such"',
        'articles/many/en.md:5: author: there is no author "nobody"',
        'articles/many/en.md:7: there is no picture missing.jpg beside it',
        'articles/many/en.md:6: published: must be a date like 2026-11-21 or 2026-11-21T08:00:00Z',
        'articles/wrong-date/en.md:6: published: must be a date like 2026-11-21 or 2026-11-21T08:00:00Z',
        'articles/cut/picture.jpg:0: breaks off: VipsJpeg: premature end of JPEG image',
        'categories/wrong.yaml:3: position: must be a number',
        'articles/wrong-slug/en.md:7: "/contact" is another page’s address already',
      ]
        .map((line) => line.replace('FOLDER', folder))
        .sort(),
    );
    expect(await contentOf(database.query, () => now).authors('en')).toEqual([]);
  });

  test('resizes pictures once, writes their dimensions, and exports them unchanged', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const original = await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#3a7' } })
      .png()
      .toBuffer();
    put('articles/one/cover.png', original);
    put('articles/one/in-text.png', original);
    putArticle('one', { cover: 'cover.png', cover_alt: 'A green field' }, 'Text\n\n![Green](in-text.png)');
    expect(await run(database)).toMatchObject({ pictures: 1 });
    putArticle('two', { cover: 'cover.png' });
    put('articles/two/cover.png', original);
    expect(await run(database)).toMatchObject({ pictures: 0, articles: { added: 1, unchanged: 1 } });

    const content = contentOf(database.query, () => now);
    const article = await content.article('en', 'one');
    expect(article?.cover).toMatchObject({
      width: 1000,
      height: 500,
      widths: [320, 640, 960, 1000],
      alt: 'A green field',
    });
    expect(article?.pictures).toMatchObject({ 'in-text.png': { alt: 'Green', width: 1000 } });
    const id = article?.cover?.id ?? '';
    // The product makes AVIF and never reads one; this test does.
    sharp.unblock({ operation: ['VipsForeignLoadHeif'] });
    for (const [format, type] of [
      ['avif', 'heif'],
      ['webp', 'webp'],
      ['jpg', 'jpeg'],
    ] as const) {
      const bytes = await content.pictureFile(id, 640, format);
      expect(await sharp(bytes ?? new Uint8Array()).metadata()).toMatchObject({
        format: type,
        width: 640,
        height: 320,
      });
    }
    expect(await content.pictureFile(id, 641, 'jpg')).toBeNull();

    const out = join(folder, 'out');
    expect(
      await exportContent(
        { query: database.query, pictures: createDatabasePictures(database.query) },
        out,
        ['categories', 'authors', 'articles'],
        () => {},
      ),
    ).toEqual({
      categories: 1,
      authors: 1,
      articles: 2,
    });
    expect(readdirSync(join(out, 'articles/one')).sort()).toEqual(['cover.png', 'en.md', 'in-text.png']);
    expect(readFileSync(join(out, 'articles/one/cover.png')).equals(original)).toBe(true);
    expect(await run(database, { folder: out })).toMatchObject({
      articles: { added: 0, changed: 0, unchanged: 2 },
      pictures: 0,
    });
  });

  // A second of the processor for each text, and on a busy machine many of the clock.
  refusing(
    'a text that cannot be made in time is refused by name, with all others',
    { timeout: 60_000 },
    async () => {
      await using fresh = await openFreshDatabase(engine);
      putArticle('right');
      putArticle('slow', {}, '*_'.repeat(10_000));
      putArticle('deep', {}, '<div>'.repeat(3000));
      const reported = await problemsOf(fresh.database);
      expect(reported.map(({ file }) => file).sort()).toEqual(['articles/deep/en.md', 'articles/slow/en.md']);
      for (const { reason } of reported)
        expect(reason).toMatch(/^the text (?:takes longer than 1 s|is nested)/);
      expect(await contentOf(fresh.database.query, () => now).article('en', 'right')).toBeNull();
    },
  );

  refusing('refuses a character that the database cannot store, by file and line', async () => {
    await using fresh = await openFreshDatabase(engine);
    putArticle('good');
    putArticle('body', {}, 'One line.\n\nAnother\0 one.');
    putArticle('field', { title: '"A\\0 title"' });
    put('categories/bad.yaml', 'uid: 2\nslug: bad\nnames:\n  en: "Bad\\0"\n');
    put('authors/other/en.md', '---\nname: Other\n---\nWe\0 write.');
    const reason = 'holds the control character U+0000';
    expect(await problemsOf(fresh.database)).toEqual([
      { file: 'categories/bad.yaml', line: 4, reason },
      { file: 'authors/other/en.md', line: 4, reason },
      { file: 'articles/body/en.md', line: 11, reason },
      { file: 'articles/field/en.md', line: 2, reason },
    ]);
  });

  refusing('a picture that breaks off is told by name, with every other one', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const noise = { noise: { type: 'gaussian', mean: 128, sigma: 40 }, channels: 3 } as const;
    const jpeg = await sharp({ create: { width: 400, height: 300, background: '#000', ...noise } })
      .jpeg()
      .toBuffer();
    for (const key of ['one', 'two']) {
      putArticle(key, {}, '![A kitchen](kitchen.jpg)');
      put(`articles/${key}/kitchen.jpg`, jpeg.subarray(0, key === 'one' ? 4000 : 5000));
    }
    putArticle('three', {}, '![A kitchen](kitchen.jpg)');
    put('articles/three/kitchen.jpg', jpeg);
    const reason = expect.stringMatching(/^breaks off: /);
    expect(await problemsOf(database)).toEqual([
      { file: 'articles/one/kitchen.jpg', line: 0, reason },
      { file: 'articles/two/kitchen.jpg', line: 0, reason },
    ]);
    for (const key of ['one', 'two']) rmSync(join(folder, `articles/${key}`), { recursive: true });
    expect(await run(database)).toMatchObject({ articles: { added: 1 } });
  });

  refusing('what is not a file of the folder itself is refused', async () => {
    await using fresh = await openFreshDatabase(engine);
    const outside = mkdtempSync(join(tmpdir(), 'clipferry-outside-'));
    writeFileSync(
      join(outside, 'secret.png'),
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
        .png()
        .toBuffer(),
    );
    writeFileSync(join(outside, 'en.md'), `---\n${front()}---\nText.`);
    putArticle('one', { cover: 'cover.png' });
    symlinkSync(join(outside, 'secret.png'), join(folder, 'articles/one/cover.png'));
    put('articles/two/de.md', `---\n${front()}---\nText.`);
    symlinkSync(join(outside, 'en.md'), join(folder, 'articles/two/en.md'));
    symlinkSync(outside, join(folder, 'articles/three'));
    symlinkSync('/etc/hostname', join(folder, 'categories/more.yaml'));
    put('articles/large/en.md', `---\n${front()}---\n${'x'.repeat(600 * 1024)}`);
    put('categories/large.yaml', `uid: 2\nslug: large\nnames: {en: "${'x'.repeat(300 * 1024)}"}\n`);
    put('categories/deep.yaml', `uid: ${'['.repeat(100_000)}`);
    const reported = (await problemsOf(fresh.database)).map(({ file, reason }) => `${file}: ${reason}`);
    rmSync(outside, { recursive: true });
    for (const expected of [
      'articles/one/cover.png: is a symbolic link',
      'articles/one/en.md: cover.png is a symbolic link',
      'articles/two/en.md: is a symbolic link',
      'articles/three: is a symbolic link',
      'categories/more.yaml: is a symbolic link',
      'articles/large/en.md: is larger than 512 kB',
      'categories/large.yaml: is larger than 256 kB',
    ])
      expect(reported).toContain(expected);
    expect(reported.some((line) => line.startsWith('categories/deep.yaml: '))).toBe(true);
  });

  refusing('gives up after five texts that cost too much', async () => {
    await using fresh = await openFreshDatabase(engine);
    for (let n = 0; n < 30; n++) putArticle(`article-${n}`, {}, `${n} ${'*_'.repeat(10_000)}`);
    const problems = await problemsOf(fresh.database);
    expect(problems).toHaveLength(6);
    expect(problems.at(-1)?.reason).toBe('5 texts cost too much: the rest was not checked');
  });

  test('does not read unchanged files, but reads a changed picture', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const picture = (background: string) =>
      sharp({ create: { width: 40, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    put('articles/one/cover.png', await picture('#3a7'));
    putArticle('one', { cover: 'cover.png' });
    putArticle('two');
    await run(database);
    // A row that differs from its file shows whether the file is read.
    await database.query.updateTable('articles').set({ digest: 'other' }).execute();
    expect(await run(database)).toMatchObject({ articles: { changed: 0, unchanged: 2 } });
    put('articles/one/cover.png', await picture('#a37'));
    const later = new Date(now + 1000);
    utimesSync(join(folder, 'articles/one/cover.png'), later, later);
    expect(await run(database)).toMatchObject({ articles: { changed: 1, unchanged: 1 }, pictures: 1 });
  });

  test('the next import finishes one that was interrupted', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const content = contentOf(database.query, () => now);
    for (let n = 0; n < 600; n++) putArticle(`article-${n}`);
    const broken = importContent(database, {
      folder,
      parts: ['categories', 'authors', 'articles'],
      names,
      dryRun: false,
      tryTexts: false,
      now,
      pictures: createDatabasePictures(database.query),
      onProgress(stage, done) {
        if (stage === 'writing' && done >= 250) throw new Error('the power went out');
      },
    });
    await expect(broken).rejects.toThrow('the power went out');
    const rows = await database.query.selectFrom('articles').select('key').execute();
    expect(rows.length).toBeGreaterThanOrEqual(250);
    expect(rows.length).toBeLessThan(600);
    expect(await content.article('en', rows[0]?.key ?? '')).toMatchObject({ body: 'A text.' });
    const rest = 600 - rows.length;
    expect(await run(database)).toMatchObject({ articles: { added: rest, unchanged: rows.length } });
    for (const page of [1, 60])
      expect(await content.articles({ locale: 'en', list: 'all', page, size: 10 })).toMatchObject({
        total: 600,
        articles: { length: 10 },
      });
    const last = await database.query
      .selectFrom('changes')
      .select('name')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(last).toEqual([{ name: '*' }]);
  }, 60_000);

  test('of two simultaneous imports, one waits and finds nothing left to do', async () => {
    await using fresh = await openFreshDatabase(engine);
    const other = await fresh.place.open();
    for (let n = 0; n < 300; n++) putArticle(`article-${n}`);
    const waited: string[] = [];
    const importInto = (database: Database) =>
      importContent(database, {
        folder,
        parts: ['categories', 'authors', 'articles'],
        names,
        dryRun: false,
        tryTexts: false,
        now,
        pictures: createDatabasePictures(database.query),
        onProgress: () => {},
        onWait: () => waited.push('waits'),
      });
    const reports = await Promise.all([importInto(fresh.database), importInto(other)]);
    await other.close();
    expect(reports.map(({ articles }) => articles.added).sort((a, b) => a - b)).toEqual([0, 300]);
    expect(waited).toEqual(['waits']);
  }, 60_000);

  test('an import that was killed does not block the next one', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    await createLeases(query, () => Date.now() - 30_000).take('import', 'killed', 30_000);
    await query.updateTable('imports').set({ unfinished: 1 }).execute();
    putArticle('one');
    expect(await run(fresh.database)).toMatchObject({ articles: { added: 1 } });
  });
});

const letters = 'abcdefghij';

test('every article is in one batch, together with the articles that take or give up its address', () => {
  const permutation = fc.shuffledSubarray([...letters], { minLength: letters.length });
  fc.assert(
    fc.property(permutation, permutation, fc.integer({ min: 1, max: 4 }), (slugs, order, size) => {
      // Each article had its own name as its address, and now has another one's.
      const articles = order.map((key) => ({ key, locale: 'en', slug: slugs[letters.indexOf(key)] ?? key }));
      const batches = batchesOf(articles, (_, slug) => slug, size);
      expect(
        batches
          .flat()
          .map(({ key }) => key)
          .sort(),
      ).toEqual([...letters]);
      for (const batch of batches) {
        const keys = new Set(batch.map(({ key }) => key));
        for (const { slug } of batch) expect(keys.has(slug)).toBe(true);
      }
    }),
  );
});

test('puts unrelated articles into batches of the given size', () => {
  const articles = Array.from({ length: 10 }, (_, n) => ({ key: `a${n}`, locale: 'en', slug: `s${n}` }));
  expect(batchesOf(articles, () => undefined, 4).map(({ length }) => length)).toEqual([4, 4, 2]);
});
