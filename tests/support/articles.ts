import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { runCli } from './cli.ts';
import { compileCache } from './processes.ts';
import { type RunningProduct, startProduct } from './product.ts';

/** An article to import; omitted fields get plain values. */
export interface TestArticle {
  readonly name: string;
  readonly locale?: string;
  readonly title?: string;
  readonly category?: string;
  readonly slug?: string;
  /** Newer articles have larger numbers. */
  readonly at?: number;
  readonly fields?: string;
  readonly body?: string;
}

function writeArticle(folder: string, article: TestArticle): void {
  const { name, locale = 'en', title = name, category = 'news', slug = name } = article;
  const place = join(folder, 'articles', name);
  const published = new Date(Date.UTC(2026, 0, 1) + (article.at ?? 0) * 60_000).toISOString();
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, `${locale}.md`),
    `---\ntitle: ${JSON.stringify(title)}\ndescription: About ${name}.\nslug: ${slug}\ncategory: ${category}\n` +
      `author: tester\npublished: ${published}\n${article.fields ?? ''}---\n\n${article.body ?? 'Text.'}\n`,
  );
}

/**
 * A folder to import in which one bundled article has another title. It omits the other articles: on a busy machine the
 * command, which yields to other processes, takes ten times as long for all. The caller removes the folder.
 */
export function editArticle(key: string, title: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-edit-'));
  for (const part of ['categories', 'authors', join('articles', key)])
    cpSync(join('content', part), join(folder, part), { recursive: true });
  const file = join(folder, 'articles', key, 'en.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^title: .*$/m, `title: ${title}`));
  return folder;
}

/**
 * Puts one of the product's articles into an empty database: the first start of a site imports all of them into a
 * database without any, which takes longer than the tests of most files.
 */
export async function importOneArticle(env: Readonly<Record<string, string>>): Promise<void> {
  const folder = editArticle('mp3-or-m4a', 'The only article');
  const { code, errors } = await runCli(['posts', 'import', folder], env);
  rmSync(folder, { recursive: true });
  if (code !== 0) throw new Error(`The article could not be imported: ${errors}`);
}

/** Starts the product with these articles, in the categories "news" (uid n1) with its child "late", and "empty". */
export async function startWithArticles(
  articles: readonly TestArticle[],
  { picture }: { readonly picture?: string } = {},
): Promise<RunningProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-articles-'));
  const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-data-'));
  mkdirSync(join(folder, 'categories'));
  mkdirSync(join(folder, 'authors', 'tester'), { recursive: true });
  writeFileSync(
    join(folder, 'categories', 'news.yaml'),
    'uid: n1\nslug: news\nnames:\n  en: News\n  ar: أخبار\nchildren:\n  - uid: n2\n    slug: late\n    names: { en: Late news }\n',
  );
  writeFileSync(
    join(folder, 'categories', 'empty.yaml'),
    'uid: e1\nslug: empty\nnames: { en: Nothing yet }\n',
  );
  writeFileSync(
    join(folder, 'authors', 'tester', 'en.md'),
    '---\nname: Test team\nlinks:\n  - text: Write to us\n    url: /contact\n---\n\nWe write tests.\n\nOften.\n',
  );
  for (const article of articles) writeArticle(folder, article);
  if (picture !== undefined)
    await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#0b3c49' } })
      .png()
      .toFile(join(folder, 'articles', picture, 'wide.png'));
  await promisify(execFile)(process.execPath, ['src/app/cli/main.ts', 'posts', 'import', folder], {
    env: { PATH: process.env.PATH ?? '', ...compileCache, DATA_DIR: dataFolder },
  });
  const product = await startProduct({ dataFolder });
  return {
    ...product,
    async stop(signal) {
      const code = await product.stop(signal);
      for (const place of [folder, dataFolder]) rmSync(place, { recursive: true, force: true });
      return code;
    },
  };
}
