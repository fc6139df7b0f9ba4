import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FolderReader } from '../../content/import/folder-reader.ts';
import {
  type ArticleFile,
  type ReadArticle,
  readArticle,
  readContentFolder,
} from '../../content/import/read-folder.ts';
import { createBoundedRenderer } from '../../content/rich-text/bounded-renderer.ts';
import { locales } from '../../i18n/languages.ts';
import { reservedSlugs } from '../../server/instance/reserved-slugs.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import { parseSiteConfiguration } from './read-site-configuration.ts';

const file = JSON.parse(readFileSync('site.config.json', 'utf8')) as { locales: readonly string[] };
const configuration = parseSiteConfiguration({ ...file, locales });
const reader = new FolderReader(reservedSlugs(configuration));
const found = await readContentFolder('content', ['categories', 'authors', 'articles'], reader);
const articles: (ArticleFile & ReadArticle)[] = [];
for (const place of found.articles) {
  const { article = null } = (await readArticle(place, reader)) ?? {};
  if (article !== null) articles.push({ ...place, ...article });
}
const content = { ...found, articles, problems: reader.problems };
const english = content.articles.filter(({ locale }) => locale === 'en');

test('every bundled file can be imported', () => {
  expect(content.problems).toEqual([]);
  expect(english.length).toBeGreaterThanOrEqual(12);
  expect(content.categories).toHaveLength(3);
});

test('every bundled text can be rendered, so a first start need not try them', async () => {
  const renderer = createBoundedRenderer();
  for (const { body, locale } of articles)
    await renderer.render(body, {
      locale,
      origin: 'https://site.example',
      partnerDomains: [],
      pictures: {},
      labels: { notes: '', backToText: '' },
    });
  await renderer.close();
}, 60_000);

test('each category and article names things that exist', () => {
  const slugs = new Set(content.categories.map(({ slug }) => slug));
  const authors = new Set(content.authors.map(({ id }) => id));
  for (const article of content.articles) {
    expect([article.file, slugs.has(article.category)]).toEqual([article.file, true]);
    expect([article.file, authors.has(article.authorId)]).toEqual([article.file, true]);
  }
});

test.each(content.articles.map((article) => [article.file, article] as const))(
  '%s matches its original: category, author, dates, headings, links',
  (_, article) => {
    const original = english.find(({ key }) => key === article.key);
    const reported = ({ category, authorId, publishedAt }: typeof article) => ({
      category,
      authorId,
      publishedAt,
    });
    const linksOf = ({ body }: typeof article) =>
      [...body.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link).sort();
    const headingsOf = ({ body }: typeof article) => body.match(/^#+ /gm);
    expect(original).toBeDefined();
    if (original === undefined) return;
    expect(reported(article)).toEqual(reported(original));
    const [own, first] = [article.updatedAt ?? 0, original.updatedAt ?? 0];
    expect(own).toBeLessThanOrEqual(first);
    // A translation of an older text says so by its date, and `npm run check:messages` warns of it.
    if (own < first) return;
    expect(linksOf(article)).toEqual(linksOf(original));
    expect(headingsOf(article)).toEqual(headingsOf(original));
  },
);

test('links within the site lead to existing pages', () => {
  const slugs = new Set(english.map(({ slug }) => slug));
  for (const { file: name, body } of english)
    for (const [, page = ''] of body.matchAll(/\]\(\/([^)#?]*)\)/g))
      expect([name, page, slugs.has(page) || siteHas(configuration, page, 'en')]).toEqual([name, page, true]);
});
