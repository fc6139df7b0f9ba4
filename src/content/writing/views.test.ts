import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { viewWeight } from '../popularity.ts';
import { article, contentOf, firstDay, write, writeCategoriesAndAuthors } from '../testing/content.ts';
import { createViewCounter } from './views.ts';

describe.each(engines)('$name', (engine) => {
  test('writes views in batches, adds them up over instances, and counts articles only', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    await write(database, [article(1), article(2)]);
    const content = contentOf(database.query, () => firstDay);
    const counters = [firstDay, firstDay].map((now) => createViewCounter(database.query, () => now));
    for (const counter of counters) {
      for (let n = 0; n < 3; n++) counter.see('en', 'article-1');
      counter.see('de', 'article-1');
      counter.see('en', 'no-such-article');
    }
    expect((await content.article('en', 'article-1'))?.views).toBe(0);
    await Promise.all(counters.map((counter) => counter.flush()));
    await Promise.all(counters.map((counter) => counter.flush()));
    expect((await content.article('en', 'article-1'))?.views).toBe(6);
    expect((await content.article('en', 'article-2'))?.views).toBe(0);
    const { heat } = await database.query
      .selectFrom('articles')
      .select('heat')
      .where('slug', '=', 'article-1')
      .executeTakeFirstOrThrow();
    expect(heat).toBeCloseTo(6 * viewWeight(firstDay));
  });

  const dayMs = 86_400_000;
  test.each([
    ['behind counts as much as the newest', -3 * 365 * dayMs, 0],
    ['a year ahead weighs no more than after half a year', 365 * dayMs, 182 * dayMs],
    ['a month later weighs what it should', 30 * dayMs, 30 * dayMs],
  ])('counts a view by a clock that is %s', async (_, apartMs, countedMs) => {
    await using fresh = await openFreshDatabase(engine);
    const { database } = fresh;
    await writeCategoriesAndAuthors(database);
    await write(database, [article(1), article(2)]);
    const see = async (slug: string, ...moments: number[]) => {
      const counter = createViewCounter(database.query, () => moments.shift() ?? 0);
      counter.see('en', slug);
      await counter.flush();
    };
    await see('article-1', firstDay, firstDay);
    const started = firstDay + apartMs;
    // Time since the start counts in full.
    await see('article-2', started, started + dayMs);
    const { heat } = await database.query
      .selectFrom('articles')
      .select('heat')
      .where('slug', '=', 'article-2')
      .executeTakeFirstOrThrow();
    expect(Math.log2(heat)).toBeCloseTo(Math.log2(viewWeight(firstDay + countedMs + dayMs)));
  });

  test('writes what failed to be written with the next batch', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { database, place } = fresh;
    await writeCategoriesAndAuthors(database);
    await write(database, [article(1)]);
    const other = await place.open();
    const counter = createViewCounter(other.query, () => firstDay);
    counter.see('en', 'article-1');
    await database.query.schema.alterTable('articles').renameTo('articles_away').execute();
    await expect(counter.flush()).rejects.toThrow();
    await database.query.schema.alterTable('articles_away').renameTo('articles').execute();
    await counter.flush();
    expect((await contentOf(database.query, () => firstDay).article('en', 'article-1'))?.views).toBe(1);
    await other.close();
  });
});
