import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOwnSite } from '../../src/server/own-site/own-site.ts';
import { runCli } from '../support/cli.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'clipferry-own-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const square = (size: number) =>
  sharp({ create: { width: size, height: size, channels: 4, background: '#7a2e8e' } })
    .png()
    .toBuffer();

const policy = (body: string) =>
  `---\ntitle: Our policy\ndescription: What we keep.\nupdated: 2026-11-01\n---\n\n${body}\n`;

let product: RunningProduct;
const textOf = async (path: string) => (await fetch(product.origin + path)).text();

beforeAll(async () => {
  const accent = { light: '#7a2e8e', dark: '#d9a3e6' };
  cpSync(
    siteFile({ brand: 'Harbour', operator: 'Harbour Ltd', locales: ['en', 'de', 'fr'], accent }),
    join(folder, 'site.config.json'),
  );
  write('words/en/home.json', JSON.stringify({ 'hero.title': 'Harbour saves clips', 'hero.gone': 'Before' }));
  write('words/de/common.json', JSON.stringify({ skip: 'Gleich zum Inhalt', home: 'Ohne den Namen' }));
  write('words/en/no-such-page.json', '{}');
  write('legal/privacy-policy/en.md', policy('Our own: {operator} keeps nothing of {nobody}.'));
  write('legal/privacy/en.md', policy('Nobody reads this.'));
  write('icon.png', await square(600));
  write(
    'logo.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h90v30z"/></svg>',
  );
  product = await startProduct({ env: { SITE_DIR: folder } });
});
afterAll(() => product.stop());

test('its words, documents and colours take the place of ours, and what it lacks is ours', async () => {
  const english = await textOf('/');
  expect(english).toContain('Harbour saves clips');
  expect(english).toContain('<bdi>Harbour</bdi>');
  const german = await textOf('/de');
  expect(german).toContain('Gleich zum Inhalt');
  expect(german).not.toContain('Harbour saves clips');

  const own = await textOf('/privacy-policy');
  expect(own).toContain('Our own: Harbour Ltd keeps nothing of {nobody}.');
  expect(await textOf('/de/privacy-policy')).not.toContain('Our own: ');
  expect(await textOf('/terms-of-use')).not.toContain('Our own: ');
  expect((await fetch(`${product.origin}/pl`)).status).toBe(404);
});

test('pages have its colours, which the policy allows, and its logo', async () => {
  const response = await fetch(`${product.origin}/contact`);
  const page = await response.text();
  const [, style = ''] = /<style>(.*?)<\/style>/.exec(page) ?? [];
  expect(style).toContain('--accent:light-dark(#7a2e8e,#d9a3e6)');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)));
  const source = `'sha256-${Buffer.from(digest).toString('base64')}'`;
  expect(response.headers.get('content-security-policy')).toContain(`style-src 'self' ${source};`);
  expect(page.match(/<img src="\/logo.svg" width="96" height="32" alt=""/g)).toHaveLength(2);
  expect(await textOf('/logo.svg')).toContain('viewBox="0 0 90 30"');
});

test('one icon has all the sizes that systems ask for', async () => {
  for (const [path, width] of [
    ['/icon-512.png', 512],
    ['/icon-192.png', 192],
    ['/apple-touch-icon.png', 180],
    ['/favicon.ico', 32],
  ] as const) {
    const response = await fetch(product.origin + path);
    const { dominant } = await sharp(Buffer.from(await response.clone().arrayBuffer())).stats();
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(width);
    expect(dominant.b).toBeGreaterThan(dominant.g);
  }
  expect(await textOf('/favicon.svg')).toContain('data:image/png;base64,');
  const { icons, screenshots } = JSON.parse(await textOf('/manifest.webmanifest'));
  expect(icons.map(({ src }: { src: string }) => src)).toEqual(['/icon-192.png', '/icon-512.png']);
  expect(screenshots).toBeUndefined();
});

test('site check and the log name what has no place', async () => {
  const { code, output } = await runCli(['site', 'check', '--json'], { SITE_DIR: folder });
  const { leftOut, gaps } = JSON.parse(output) as Record<string, { file: string; what: string }[]>;
  const named = (list: readonly { file: string; what: string }[] = []) =>
    list.map(({ file, what }) => `${file.slice(folder.length + 1)}: ${what.replace('is left out: ', '')}`);
  expect(named(leftOut)).toEqual([
    expect.stringContaining('legal/privacy/en.md: it must be {document}/{language}.md'),
    'words/de/common.json: "home" has the values none, and needs domain',
    'words/en/home.json: "hero.gone" is no message of this page',
    'words/en/no-such-page.json: the product has no page of messages with this name',
  ]);
  expect(named(gaps)).toEqual([
    'legal/privacy-policy/en.md: {nobody} stays as it is: no site has this value',
    "legal/privacy-policy: visitors in de, fr read the product's document, and others yours",
  ]);
  expect(code).toBe(1);
  const logged = product.log().map(({ file }) => file);
  expect(logged).toEqual(
    expect.arrayContaining([...(leftOut ?? []), ...(gaps ?? [])].map(({ file }) => file)),
  );
});

test('pages made of other words are not shared', async () => {
  const before = await openOwnSite(folder, ['en']);
  write('words/fr/home.json', JSON.stringify({ 'hero.title': 'Le port' }));
  expect((await openOwnSite(folder, ['en'])).version).not.toBe(before.version);
});

test('each mistake stops the start with the name of its file', async () => {
  const files = [
    write('words/en/tool.json', '{ "link.label": 7 }'),
    write('words/fr/home.json', JSON.stringify({ 'hero.title': 'Un {titre' })),
    write('words/de/status.json', '{'),
    write('legal/about/en.md', 'No fields'),
    write('icon.png', await square(100)),
    write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 30"/>'),
  ];
  const error = await openOwnSite(folder, ['en']).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(Error);
  for (const file of files) expect((error as Error).message).toContain(`${file}:`);

  const whole = await square(600);
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(60) ^ 1, 60);
  for (const damaged of [whole.subarray(0, 33), whole.subarray(0, -1), flipped]) {
    const icon = write('icon.png', damaged);
    await expect(openOwnSite(folder, ['en'])).rejects.toThrow(`${icon}: is damaged, or its end is missing`);
  }

  const pale = siteFile({ accent: { light: '#77ccdd', dark: '#d9a3e6' } });
  const { code, errors } = await runCli(['site', 'check', pale], {});
  expect([code, errors]).toEqual([1, expect.stringContaining('accent.light: has a contrast of 1.')]);
});
