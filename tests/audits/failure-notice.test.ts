import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

/** A copy of the program in which the Turkish texts of every page's frame are damaged. */
function damagedCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-damaged-'));
  cpSync('src', join(folder, 'src'), { recursive: true });
  for (const name of ['node_modules', 'migrations', 'content', 'package.json'])
    symlinkSync(resolve(name), join(folder, name));
  writeFileSync(join(folder, 'src/i18n/locales/tr/common.json'), '{');
  return folder;
}

let folder: string;
let product: RunningProduct;
beforeAll(async () => {
  folder = damagedCopy();
  product = await startProduct({ main: join(folder, 'src/app/web.js') });
});
afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true });
});

async function expectNotice({ origin, log }: RunningProduct, path: string) {
  const response = await fetch(origin + path);
  const html = await response.text();
  const id = response.headers.get('x-request-id');
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain('<html lang="tr" dir="ltr">');
  expect(html).toContain('<h1>Hata sayfası gösterilirken bir hata oluştu</h1>');
  expect(html).toContain('<a href="/tr">Ana sayfaya dön</a>');
  expect(html).toContain(`<code data-request-id>${id}</code>`);
  expect(html).not.toMatch(/JSON|SyntaxError|\.ts|common\.json/);
  const errors = () => log().filter((entry) => entry.reqId === id && Number(entry.level) >= 50);
  await until('it is logged', () => errors().length > 0);
  expect(errors()).toHaveLength(1);
}

test('an error screen that fails too leaves a notice in the visitor’s language, logged once', async () => {
  await expectNotice(product, '/tr/contact');
  expect((await fetch(`${product.origin}/contact`)).status).toBe(200);
});

test('a failed step also leaves a notice', async () => {
  const SITE_CONFIG = siteFile({ route_steps: ['no-such-step', 'injection-store', 'route'] });
  const broken = await startProduct({ main: join(folder, 'src/app/web.js'), env: { SITE_CONFIG } });
  try {
    await expectNotice(broken, '/tr/contact');
    const screen = await fetch(`${broken.origin}/contact`);
    expect(screen.status).toBe(500);
    expect(await screen.text()).toContain('Unknown middleware no-such-step');
  } finally {
    await broken.stop();
  }
});
