/**
 * Pages of lists and articles, uncached, with a thousand, a hundred thousand and a million articles, on SQLite and (where
 * a server answers) PostgreSQL. Baseline: the thousand, in the same run, asked in turns. `node bench/articles.ts 1000 100000`
 * measures other sizes.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CompiledQuery } from 'kysely';
import { createContent } from '../src/content/reading/read-content.ts';
import type { Database } from '../src/stores/contracts/database.ts';
import { type Engine, engines } from '../src/stores/contracts/testing/databases.ts';
import { startProduct } from '../tests/support/product.ts';
import { fill, planOf, prepare } from './support/article-database.ts';
import { print } from './support/report.ts';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1000, 100_000, 1_000_000];
const rounds = 400;
const warmUp = 100;
const perPage = 12;

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

/** Any number up to one. */
const anyOf = (count: number) => 1 + Math.floor(Math.random() * count);

/** What is asked for, by what it measures. */
const queries: Readonly<Record<string, (count: number) => string>> = {
  'a page of all articles': (count) => `/view-articles/${anyOf(Math.floor(count / perPage))}`,
  'a page of a category': (count) => `/posts/guides/${anyOf(Math.floor(count / 3 / perPage))}`,
  'an article': (count) => `/article-${anyOf(count)}`,
};

interface Site {
  readonly count: number;
  readonly origin: string;
  readonly times: Map<string, number[]>;
}

async function timeOf(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0 bench' } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return performance.now() - start;
}

async function measure(engine: Engine): Promise<void> {
  const sites: (Site & { stop(): Promise<unknown> })[] = [];
  const alone = new Map<number, number>();
  for (const count of sizes) {
    const place = await engine.makePlace();
    const database = await prepare(await place.open());
    const start = performance.now();
    await fill(database, count);
    console.log(
      `${engine.name}: ${count} articles written in ${((performance.now() - start) / 1000).toFixed(1)} s`,
    );
    if (count === sizes.at(-1)) {
      await showPlans(database, count);
      print({
        what: `${engine.name}, growth over the reading of all ${count}`,
        value: await growthOverEverything(database),
        unit: 'MB',
        atMost: 8,
      });
    }
    alone.set(count, await timeAlone(database, count));
    await database.close();
    const env = { ...place.environment, PAGE_CACHE: 'off' };
    const product = await startProduct({ env });
    sites.push({
      count,
      origin: product.origin,
      times: new Map(Object.keys(queries).map((what) => [what, []])),
      async stop() {
        await product.stop();
        await place.remove();
      },
    });
  }
  const [least = 0] = sizes;
  for (const [count, p95] of alone)
    print({
      what: `${engine.name}, the database's part of a page of ${count}, p95`,
      value: p95,
      unit: 'ms',
      ...(count !== least && { baseline: alone.get(least) ?? Number.NaN, atMost: 1.5 }),
    });
  for (let round = -warmUp; round < rounds; round++)
    // In turns, so that whatever else the machine does meets all of them.
    for (const [what, path] of Object.entries(queries))
      for (const { origin, count, times } of sites) {
        const elapsed = await timeOf(origin + path(count));
        if (round >= 0) times.get(what)?.push(elapsed);
      }
  for (const what of Object.keys(queries)) {
    const [first, ...rest] = sites.map(({ count, times }) => ({
      count,
      p95: percentile(times.get(what) ?? [], 0.95),
    }));
    if (first === undefined) continue;
    print({ what: `${engine.name}, ${what} of ${first.count}, p95`, value: first.p95, unit: 'ms' });
    for (const { count, p95 } of rest)
      print({
        what: `${engine.name}, ${what} of ${count}, p95`,
        value: p95,
        unit: 'ms',
        baseline: first.p95,
        atMost: 1.5,
      });
  }
  for (const site of sites) await site.stop();
}

/** Reading any page of a category, without the server around it. */
async function timeAlone({ query }: Database, count: number): Promise<number> {
  const content = createContent(query, Date.now);
  const times: number[] = [];
  for (let round = -warmUp; round < rounds * 3; round++) {
    const page = anyOf(Math.floor(count / 3 / perPage));
    const start = performance.now();
    await content.articles({ locale: 'en', list: { category: 1 }, page, size: perPage });
    if (round >= 0) times.push(performance.now() - start);
  }
  return percentile(times, 0.95);
}

/** What is alive, without what the collector has not come to yet. */
function liveMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** How much more is alive after every article was read, as sitemaps and feeds do, than after the first part. */
async function growthOverEverything({ query }: Database): Promise<number> {
  let first = Number.NaN;
  for await (const _ of createContent(query, Date.now).everything('en'))
    if (Number.isNaN(first)) first = liveMb();
  return liveMb() - first;
}

/** The statements behind a page far down a list, and what the engine does for them. */
async function showPlans({ query, engine }: Database, count: number): Promise<void> {
  const statements: CompiledQuery[] = [];
  const watched = query.withPlugin({
    transformQuery({ node, queryId }) {
      statements.push(query.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const page = Math.floor(count / 3 / perPage / 2);
  const wanted = { locale: 'en', list: { category: 1 }, page, size: perPage };
  await createContent(watched, Date.now).articles(wanted);
  console.log(`${engine}: page ${page} of a category of ${Math.floor(count / 3)}`);
  for (const statement of statements)
    for (const line of await planOf(query, engine, statement)) console.log(`  ${line}`);
}

for (const engine of engines) await measure(engine);
