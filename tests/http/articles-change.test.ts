import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { editArticle } from '../support/articles.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
const slug = 'mp3-or-m4a';
const textOf = async (product: RunningProduct, path: string, headers: Record<string, string> = browser) =>
  (await fetch(product.origin + path, { headers })).text();

interface Listed {
  key: string;
  locale: string;
  views: number;
}

async function viewsOf(env: Readonly<Record<string, string>>): Promise<number | undefined> {
  const { output } = await runCli(['posts', 'list', '--json', '--locale', 'en'], env);
  const rows = JSON.parse(output) as Listed[];
  return rows.find(({ key }) => key === slug)?.views;
}

describe.each(journeyEngines)('on $name', (engine) => {
  // Several runs of the operator's command, which yields to other processes on a busy machine.
  test('an edited article appears within seconds, and only its pages leave the page cache', {
    timeout: 120_000,
  }, async () => {
    const place = await engine.makePlace();
    const product = await startProduct({ env: place.environment });
    const env = { DATA_DIR: product.dataFolder, ...place.environment };
    const hits = () => product.metric('clipferry_page_cache_total', { result: 'hit' });
    for (const path of [`/${slug}`, '/contact', '/posts']) await textOf(product, path);
    const folder = editArticle(slug, 'A new title for it');
    expect((await runCli(['posts', 'import', folder], env)).output).toContain('0 new, 1 changed');
    await until('the page shows it', async () =>
      (await textOf(product, `/${slug}`)).includes('A new title for it'),
    );
    expect(await textOf(product, '/posts')).toContain('A new title for it');
    const before = await hits();
    await textOf(product, '/contact');
    expect(await hits()).toBe(before + 1);

    expect((await runCli(['posts', 'delete', slug], env)).code).toBe(0);
    await until('it is gone', async () => (await fetch(`${product.origin}/${slug}`)).status === 404);
    expect((await runCli(['posts', 'delete', slug], env)).code).toBe(1);
    rmSync(folder, { recursive: true });
    await product.stop();
    await place.remove();
  });

  test('counts readers, also of cached pages, but not programs; at most the last second is lost', {
    skip: !isAudit,
  }, async () => {
    const place = await engine.makePlace();
    const product = await startProduct({ env: { ...place.environment, TRUST_PROXY: '127.0.0.1' } });
    const env = { DATA_DIR: product.dataFolder, ...place.environment };
    // A reading counts once an hour for each visitor.
    const reader = (n: number) => ({ ...browser, 'x-forwarded-for': `203.0.113.${n}` });
    for (let n = 1; n <= 5; n++) await textOf(product, `/${slug}`, reader(n));
    await textOf(product, `/${slug}`, reader(5));
    await textOf(product, `/${slug}`, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    await textOf(product, `/${slug}`, { ...browser, 'sec-purpose': 'prefetch' });
    await textOf(product, '/no-such-article');
    await until('five views are written', async () => (await viewsOf(env)) === 5);
    await product.stop('SIGKILL');
    expect(await viewsOf(env)).toBe(5);
    const again = await startProduct({ env, dataFolder: product.dataFolder });
    await textOf(again, `/${slug}`);
    await again.stop();
    expect(await viewsOf(env)).toBe(6);
    await place.remove();
  });
});
