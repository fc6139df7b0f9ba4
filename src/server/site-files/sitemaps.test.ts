import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { readConfigurationFile } from '../../app/parts/read-site-configuration.ts';
import type { ArticleAddress, ArticleSummary, Content } from '../../content/content.ts';
import { locales } from '../../i18n/languages.ts';
import { sitemapSources } from './sitemap-sources.ts';
import { createSitemapParts } from './sitemaps.ts';

const total = 4100;
let requested: { lists: number; translations: number; mostKeys: number };

const summary = (n: number) => ({ key: `key-${n}`, slug: `slug-${n}` }) as ArticleSummary;

const content = {
  async articles({ page, size }: { page: number; size: number }) {
    requested.lists += 1;
    const first = (page - 1) * size;
    const length = Math.max(0, Math.min(size, total - first));
    return { articles: Array.from({ length }, (_, n) => summary(first + n)), total, page, pages: 1 };
  },
  async allTranslations(keys: readonly string[]) {
    requested.translations += 1;
    requested.mostKeys = Math.max(requested.mostKeys, keys.length);
    return new Map(
      keys.map((key) => [
        key,
        locales.map((locale): ArticleAddress => ({ locale, slug: key.replace('key', 'slug'), updatedAt: 0 })),
      ]),
    );
  },
} as Partial<Content> as Content;

const configuration = readConfigurationFile('site.config.json');
const source = () => {
  const found = sitemapSources(configuration, content).find(({ name }) => name === 'articles-en');
  if (found === undefined) throw new Error('no such source');
  return found;
};

const addresses = ({ zipped }: { readonly zipped: Buffer }) =>
  gunzipSync(zipped)
    .toString()
    .match(/<loc>[^<]+/g) ?? [];

beforeEach(() => {
  requested = { lists: 0, translations: 0, mostKeys: 0 };
});

test('the parts contain every address once', async () => {
  const parts = createSitemapParts('https://site.example', () => 0);
  const count = await source().parts();
  expect(count).toBe(3);
  const all: string[] = [];
  for (let part = 1; part <= count; part += 1) all.push(...addresses(await parts(source(), part)));
  expect(all).toHaveLength(total);
  expect(new Set(all).size).toBe(total);
});

test('a part requests many translations at once, and lets others run in between', async () => {
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await createSitemapParts('https://site.example', () => 0)(source(), 1);
  done = true;
  expect(requested.translations).toBeLessThanOrEqual(20);
  expect(requested.mostKeys).toBeLessThanOrEqual(100);
  // 2,000 addresses, each with 25 links: at most 25 addresses at a time.
  expect(turns).toBeGreaterThanOrEqual(80);
});

test('makes a part once for all callers, until the content changes', async () => {
  let revision = 0;
  const parts = createSitemapParts('https://site.example', () => revision);
  const [one, other] = await Promise.all([parts(source(), 1), parts(source(), 1)]);
  expect(other).toBe(one);
  expect(await parts(source(), 1)).toBe(one);
  const before = requested.lists;
  revision += 1;
  await parts(source(), 1);
  expect(requested.lists).toBe(2 * before);
});

test('does not keep a part that cannot be made', async () => {
  const parts = createSitemapParts('https://site.example', () => 0);
  const broken = {
    ...source(),
    async *entries() {
      yield { path: '/a', alternates: [] };
      throw new Error('the database is away');
    },
  };
  await expect(parts(broken, 1)).rejects.toThrow('away');
  expect(addresses(await parts(source(), 1)).length).toBeGreaterThan(0);
});

test('makes parts one after another, however many are requested at once', async () => {
  const parts = createSitemapParts('https://site.example', () => 0);
  let [running, most] = [0, 0];
  const slow = {
    ...source(),
    async *entries() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      yield { path: '/a', alternates: [] };
      running -= 1;
    },
  };
  const made = await Promise.all([1, 2, 3].map((part) => parts(slow, part)));
  expect(made.map((part) => addresses(part).length)).toEqual([1, 1, 1]);
  expect(most).toBe(1);
});
