import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { viewWeight } from '../popularity.ts';
import { article, contentOf, firstDay, write, writeCategoriesAndAuthors } from '../testing/content.ts';
import { deleteArticles, markTouched, type TouchedLists } from '../writing/articles.ts';

const now = () => firstDay;
const slugs = (articles: readonly { slug: string }[]) => articles.map(({ slug }) => slug);
const numbers = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + (from < to ? at : -at));

describe.each(engines)('$name', (engine) => {
  test('any page of a list is the expected slice, also after articles were added and removed', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const ids = await writeCategoriesAndAuthors(database);
    const content = contentOf(database.query, now);
    const categoryOf = (n: number) => ids.get(n % 3 === 0 ? 'sound' : n % 3 === 1 ? 'guides' : 'phones') ?? 0;
    // Every fifth pair has the same time: the order must still be unique.
    const all = numbers(1, 457).map((n) =>
      article(n, { categoryId: categoryOf(n), publishedAt: firstDay + (n - (n % 5 === 0 ? 1 : 0)) * 1000 }),
    );
    await write(database, all);
    await database.query.transaction().execute(async (transaction) => {
      const touched: TouchedLists = new Map();
      const gone = await transaction
        .selectFrom('articles')
        .select('id')
        .where('slug', 'in', ['article-7', 'article-300'])
        .execute();
      await deleteArticles(
        transaction,
        gone.map(({ id }) => id),
        touched,
      );
      await markTouched(transaction, touched);
    });
    const rest = numbers(457, 1).filter((n) => n !== 7 && n !== 300);
    const lists = [
      ['all' as const, rest],
      [{ category: ids.get('sound') ?? 0 }, rest.filter((n) => n % 3 === 0)],
      [{ category: ids.get('guides') ?? 0 }, rest.filter((n) => n % 3 !== 0)],
      [{ author: 'desk' }, []],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lists),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 130 }),
        async ([list, expected], page, size) => {
          const read = await content.articles({ locale: 'en', list, page, size });
          expect(slugs(read.articles)).toEqual(
            expected.slice((page - 1) * size, page * size).map((n) => `article-${n}`),
          );
          expect(read).toMatchObject({
            total: expected.length,
            pages: Math.ceil(expected.length / size),
            page,
          });
        },
      ),
      { numRuns: 60 },
    );
    const whole = await content.articles({ locale: 'en', list: 'all', page: 1, size: 1000 });
    expect(slugs(whole.articles)).toEqual(rest.map((n) => `article-${n}`));
  });

  test('finds an article by its address in its language, with all its languages', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    const content = contentOf(database.query, now);
    const picture = {
      id: 'abc',
      file: 'a.jpg',
      width: 1200,
      height: 800,
      widths: [600, 1200],
      alt: 'A phone',
    };
    await write(database, [
      article(1, { cover: picture, pictures: { 'a.jpg': picture } }),
      article(1, { locale: 'de', slug: 'artikel-1', title: 'Artikel 1' }),
    ]);
    expect(await content.article('en', 'article-1')).toMatchObject({
      title: 'Article 1',
      cover: picture,
      pictures: { 'a.jpg': picture },
      body: '# Article 1\n\nText.',
      authorId: 'editors',
      publishedAt: firstDay + 86_400_000,
    });
    expect(await content.article('de', 'article-1')).toBeNull();
    expect(await content.translations('article-1')).toMatchObject([
      { locale: 'de', slug: 'artikel-1' },
      { locale: 'en', slug: 'article-1' },
    ]);
    await write(database, [article(2)]);
    const all = await content.allTranslations(['article-2', 'article-1', 'none']);
    expect([...all].map(([key, found]) => [key, found.map(({ locale }) => locale)])).toEqual([
      ['article-1', ['de', 'en']],
      ['article-2', ['en']],
    ]);
  });

  test('related articles are those before it, then the newest, and never the article itself', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    const content = contentOf(database.query, now);
    await write(
      database,
      numbers(1, 6).map((n) => article(n)),
    );
    const [third, first] = [
      await content.article('en', 'article-3'),
      await content.article('en', 'article-1'),
    ];
    if (third === null || first === null) throw new Error('not written');
    expect(slugs(await content.related(third, 4))).toEqual([
      'article-2',
      'article-1',
      'article-6',
      'article-5',
    ]);
    expect(slugs(await content.related(first, 10))).toEqual(numbers(6, 2).map((n) => `article-${n}`));
  });

  test('hot lists recently read articles, top the most read; the operator can promote articles', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    await write(database, [article(1), article(2), article(3, { isHot: true }), article(4, { isTop: true })]);
    const read = (slug: string, views: number, at: number) =>
      database.query
        .updateTable('articles')
        .set(({ eb }) => ({ views: eb('views', '+', views), heat: eb('heat', '+', views * viewWeight(at)) }))
        .where('slug', '=', slug)
        .execute();
    const yearMs = 365 * 86_400_000;
    await read('article-1', 1000, firstDay);
    await read('article-2', 5, firstDay + yearMs);
    const lists = await contentOf(database.query, () => firstDay + yearMs).selection({
      locale: 'en',
      start: 0,
      size: 10,
    });
    expect(slugs(lists.hot)).toEqual(['article-3', 'article-2']);
    expect(slugs(lists.top)).toEqual(['article-4', 'article-1', 'article-2']);
    expect(slugs(lists.recently)).toEqual(['article-4', 'article-3', 'article-2', 'article-1']);
    const later = await contentOf(database.query, now).selection({ locale: 'en', start: 1, size: 2 });
    expect(slugs(later.top)).toEqual(['article-1', 'article-2']);
    expect(slugs(later.recently)).toEqual(['article-3', 'article-2']);
  });

  test('categories and authors keep their order, with texts and counts of the language', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    const ids = await writeCategoriesAndAuthors(database);
    const content = contentOf(database.query, now);
    await write(database, [
      article(1, { categoryId: ids.get('phones') ?? 0 }),
      article(2, { categoryId: ids.get('guides') ?? 0, authorId: 'desk' }),
    ]);
    expect(await content.categories('de')).toMatchObject([
      { uid: 'guides', name: 'Die guides', articles: 0, children: [{ uid: 'phones', children: [] }] },
      { uid: 'sound', slug: 'sound-posts', articles: 0, children: [] },
    ]);
    expect(await content.categories('en')).toMatchObject([
      { name: 'The guides', articles: 2, children: [{ articles: 1 }] },
      { name: 'The sound', articles: 0 },
    ]);
    expect(await content.authors('fr')).toMatchObject([
      { id: 'editors', name: 'The editors', articles: 0 },
      { id: 'desk', links: [{ text: 'Contact', url: '/contact' }] },
    ]);
    expect(await content.author('en', 'desk')).toMatchObject({ bio: 'We write.', articles: 1 });
    expect(await content.author('en', 'nobody')).toBeNull();
  });

  test('articles of one import may swap their addresses, and keep their views', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    await write(database, [article(1), article(2)]);
    await database.query.updateTable('articles').set({ views: 7 }).where('slug', '=', 'article-1').execute();
    await write(database, [article(1, { slug: 'article-2' }), article(2, { slug: 'article-1' })]);
    const content = contentOf(database.query, now);
    expect(await content.article('en', 'article-2')).toMatchObject({ key: 'article-1', views: 7 });
    expect(await content.article('en', 'article-1')).toMatchObject({ key: 'article-2', views: 0 });
  });
});
