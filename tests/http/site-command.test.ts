import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { startProduct } from '../support/product.ts';
import { nothingOfOurs } from '../support/promotion.ts';
import { siteFile } from '../support/site-file.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-pictures-'));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

const ad = (changes: object = {}) => ({
  img: 'ads/{locale}.png',
  href: 'https://partner.example/',
  text: { en: 'A boat', de: 'Ein Boot' },
  width: 160,
  height: 200,
  ...changes,
});

/** All that a site has to say of its operator: what is missing is named as well. */
const named = {
  domain: 'site.test',
  contact_email: 'mail@site.test',
  operator: 'Ada',
  operator_address: 'Quay 1, Harbour',
  since: 2026,
};

/** A site configuration with pictures of the given sizes beside it. @returns its path */
async function siteWith(
  fields: Readonly<Record<string, unknown>>,
  pictures: Readonly<Record<string, readonly [width: number, height: number]>>,
): Promise<string> {
  const file = siteFile({ ...named, ...fields });
  for (const [name, [width, height]] of Object.entries(pictures)) {
    const path = join(dirname(file), name);
    mkdirSync(dirname(path), { recursive: true });
    const blank = { width, height, channels: 3 as const, background: '#14697d' };
    writeFileSync(path, await sharp({ create: blank }).png().toBuffer());
  }
  return file;
}

/** Fewer languages, so that fewer pictures must be made. */
const languages = ['en', 'de'];
const allPictures = Object.fromEntries(languages.map((name) => [`ads/${name}.png`, [320, 400] as const]));

const site = (...words: readonly string[]) => runCli(['site', ...words], { DATA_DIR: dataFolder });

test('a table shows which page has what, in which language, on which device', async () => {
  const file = await siteWith(
    {
      locales: [...languages, 'es'],
      ad_info: [
        ad({ effectUrls: ['/posts'] }),
        ad({ effectUrls: ['/de', 'no-such-page'], text: 'Only here' }),
      ],
      ad_mobile_info: [ad({ img: undefined, effectUrls: ['/no-page'] })],
      recommend_info: { box: [ad({ text: 'A box' })] },
      hideKSAd: false,
    },
    allPictures,
  );
  const { code, output, errors } = await site('check', file);
  expect([code, errors]).toEqual([0, '']);
  const rows = output.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows[0]).toEqual(['device', 'shows', 'languages', 'pages']);
  expect(rows).toContainEqual([
    'desktop',
    'ad_info: side banner "A boat"',
    'all',
    '/posts, /posts/{category}',
  ]);
  const only = rows.filter(([, what]) => what === 'ad_info: side banner "Only here"');
  expect(only).toEqual([
    ['desktop', 'ad_info: side banner "Only here"', 'de', expect.stringContaining('all but /posts')],
  ]);
  expect(rows).toContainEqual(['mobile', 'recommend_info.box: bar that opens a box "A box"', 'all', 'all']);
  expect(output).toContain('ad_mobile_info.0 is on none of these pages');
  expect(output).toContain('2 picture(s)');
  const { shown, unseen } = JSON.parse((await site('check', file, '--json')).output) as {
    shown: readonly { device: string; locales: readonly string[]; pages: readonly string[] }[];
    unseen: readonly string[];
  };
  expect(shown.find(({ locales }) => locales.join() === 'de')?.pages).toContain('/contact');
  expect(unseen).toEqual(['ad_mobile_info.0']);
});

test('says so for a site that promotes nothing', { skip: !isAudit }, async () => {
  const { code, output } = await site('check', siteFile(nothingOfOurs));
  expect([code, output.split('\n')[0]]).toEqual([0, 'Nothing is promoted.']);
});

test('names each mistake by its place', { skip: !isAudit }, async () => {
  const { code, errors } = await site(
    'check',
    siteFile({ ad_info: [ad({ href: 'javascript:0', width: 0 })] }),
  );
  expect(code).toBe(1);
  expect(errors).toContain('ad_info.0.href: must be a path that starts with one "/" or an https:// address');
  expect(errors).toContain('ad_info.0.width: ');
  expect((await site('check', '/no/such/file.json')).errors).toContain('/no/such/file.json');
  expect((await site('chekc')).code).toBe(2);
});

test('names pictures that are missing, too big or of the wrong ratio', async () => {
  const file = await siteWith(
    { ad_info: [ad()], ad_mobile_info: [ad({ img: 'wide.png', width: 320, height: 50 })] },
    {
      'ads/en.png': [320, 400],
      'ads/de.png': [800, 1000],
      'ads/fr.png': [320, 320],
      'ads/zh.png': [80, 100],
    },
  );
  writeFileSync(join(dirname(file), 'wide.png'), 'GIF89a');
  const { code, errors } = await site('check', file);
  expect(code).toBe(1);
  expect(errors.trim().split('\n').sort()).toEqual([
    'ads/de.png is 800x1000, which is too big: ad_info.0 shows it in 160x200 (ad_info.0)',
    'ads/fr.png is 320x320, which is another ratio: ad_info.0 shows it in 160x200 (ad_info.0)',
    'ads/ja.png is missing: ENOENT (ad_info.0)',
    'ads/zh.png is 80x100, which is too small: ad_info.0 shows it in 160x200 (ad_info.0)',
    'wide.png is no picture that can be read: not a JPEG, PNG or WebP (ad_mobile_info.0)',
  ]);
});

test('makes pictures once, and pages show them in modern formats and sizes from this site', {
  skip: !isAudit,
}, async () => {
  const file = await siteWith({ consent: 'off', locales: languages, ad_info: [ad()] }, allPictures);
  expect((await site('pictures', file)).output.match(/: made/g)).toHaveLength(2);
  expect((await site('pictures', file)).output.match(/: known/g)).toHaveLength(2);
  const product = await startProduct({ dataFolder, env: { SITE_CONFIG: file } });
  try {
    const html = await (await fetch(`${product.origin}/de/contact`)).text();
    // Names of other things have the same form.
    const names = new Set([...html.matchAll(/[0-9a-f]{20}/g)].map(([name]) => name));
    const answers = await Promise.all(
      [...names].map(async (name) => ({
        name,
        isThere: (await fetch(`${product.origin}/pictures/${name}-160.avif`)).ok,
      })),
    );
    const [id, ...others] = answers.filter(({ isThere }) => isThere).map(({ name }) => name);
    expect(others).toEqual([]);
    for (const [format, type] of [
      ['avif', 'image/avif'],
      ['webp', 'image/webp'],
      ['jpg', 'image/jpeg'],
    ]) {
      for (const width of [160, 320]) {
        const answer = await fetch(`${product.origin}/pictures/${id}-${width}.${format}`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
        expect(answer.headers.get('cache-control')).toContain('immutable');
      }
    }
    expect(product.log().some(({ msg }) => String(msg).includes('site pictures'))).toBe(false);
  } finally {
    await product.stop();
  }
});

test('a site without made pictures says so, and shows texts', { skip: !isAudit }, async () => {
  const file = await siteWith(
    { consent: 'off', ad_info: [ad({ img: 'other.png' })] },
    { 'other.png': [160, 200] },
  );
  const product = await startProduct({ dataFolder, env: { SITE_CONFIG: file } });
  try {
    await expect
      .poll(() => product.log().find(({ msg }) => String(msg).includes('site pictures')))
      .toMatchObject({ missing: ['other.png'] });
    expect(await (await fetch(product.origin)).text()).toContain('A boat');
  } finally {
    await product.stop();
  }
});
