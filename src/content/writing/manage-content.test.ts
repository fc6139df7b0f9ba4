import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { article, contentOf, firstDay, write, writeCategoriesAndAuthors } from '../testing/content.ts';
import { openChangeReader } from './changes.ts';
import { setPublished } from './manage-content.ts';

/** The articles that visitors can see, by every way to them. */
async function seen(content: ReturnType<typeof contentOf>, locale = 'en') {
  const { articles, total } = await content.articles({ locale, list: 'all', page: 1, size: 10 });
  const { hot, top, recently } = await content.selection({ locale, start: 0, size: 10 });
  const [category] = await content.categories(locale);
  const author = await content.author(locale, 'editors');
  const keys = (rows: readonly { key: string }[]) => rows.map(({ key }) => key).sort();
  return {
    list: keys(articles),
    total,
    inCategory: category?.articles,
    byAuthor: author?.articles,
    hot: keys(hot),
    top: keys(top),
    recently: keys(recently),
  };
}

const all = (...list: string[]) => ({
  ...{ list, hot: list, top: list, recently: list },
  ...{ total: list.length, inCategory: list.length, byAuthor: list.length },
});

describe.each(engines)('$name', (engine) => {
  test('an unpublished article is not found anywhere, whatever is imported, until it is published again', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    const put = { isHot: true, isTop: true };
    const articles = [article(1, put), article(1, { ...put, locale: 'de', slug: 'eins' }), article(2, put)];
    await write(database, articles);
    const content = contentOf(database.query, () => firstDay);
    const changes = await openChangeReader(database.query, Date.now);
    const change = (isPublished: boolean, locale: string | null, ...keys: string[]) =>
      setPublished(database, { keys, locale, isPublished, now: firstDay });
    expect(await seen(content)).toEqual(all('article-1', 'article-2'));

    expect(await change(false, 'en', 'article-1')).toEqual({
      changed: [{ key: 'article-1', locale: 'en', slug: 'article-1' }],
      unchanged: [],
    });
    const isGone = async () => {
      expect(await seen(content)).toEqual(all('article-2'));
      expect(await content.article('en', 'article-1')).toBeNull();
      expect(await content.translations('article-1')).toMatchObject([{ locale: 'de' }]);
      expect([...(await content.allTranslations(['article-1'])).values()].flat()).toHaveLength(1);
      expect(await content.article('de', 'eins')).not.toBeNull();
    };
    await isGone();
    // The page in the other language names it as an alternate.
    expect((await changes.next()).map(({ locale, name }) => `${locale}/${name}`).sort()).toEqual([
      'de/eins',
      'en/article-1',
    ]);
    await write(database, [article(1, { ...put, title: 'Changed', digest: 'other' })]);
    await isGone();

    expect(await change(false, null, 'article-1', 'no-such')).toMatchObject({
      changed: [{ locale: 'de' }],
      unchanged: [{ locale: 'en' }],
    });
    expect(await seen(content, 'de')).toEqual(all());
    expect((await change(true, null, 'article-1')).changed).toHaveLength(2);
    expect(await seen(content)).toEqual(all('article-1', 'article-2'));
    expect((await content.article('en', 'article-1'))?.title).toBe('Changed');
  });

  test('lists stay correct when many articles are unpublished and published at once', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    const numbers = Array.from({ length: 24 }, (_, n) => n + 1);
    await write(
      database,
      numbers.flatMap((n) => [
        article(n),
        article(n, { locale: 'de', authorId: n % 2 ? 'desk' : 'editors' }),
      ]),
    );
    await Promise.all(
      numbers.map((n) =>
        setPublished(database, { keys: [`article-${n}`], locale: null, isPublished: n % 3 === 0, now: n }),
      ),
    );
    const content = contentOf(database.query, () => firstDay);
    for (const locale of ['en', 'de']) {
      const { articles, total } = await content.articles({ locale, list: 'all', page: 1, size: 50 });
      expect([articles.length, total]).toEqual([8, 8]);
    }
  });
});
