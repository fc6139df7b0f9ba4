import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { RunningProduct } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let product: RunningProduct;
beforeAll(async () => {
  ({ product } = await sharedJourney());
});

interface ManifestPicture {
  readonly src: string;
  readonly type: string;
  readonly sizes: string;
  readonly purpose?: string;
}

interface Manifest {
  readonly id: string;
  readonly lang: string;
  readonly dir: string;
  readonly name: string;
  readonly short_name: string;
  readonly description: string;
  readonly start_url: string;
  readonly scope: string;
  readonly display_override: readonly string[];
  readonly share_target: object;
  readonly icons: readonly ManifestPicture[];
  /** Only in English. */
  readonly screenshots?: readonly (ManifestPicture & { readonly form_factor: string })[];
  readonly shortcuts: readonly {
    readonly name: string;
    readonly url: string;
    readonly icons: readonly ManifestPicture[];
  }[];
}

/** The manifest that a page links. */
async function manifestOf(page: string): Promise<{ path: string; manifest: Manifest }> {
  const html = await (await fetch(product.origin + page)).text();
  const [, path = ''] = /<link rel="manifest" href="([^"]+)"/.exec(html) ?? [];
  const response = await fetch(product.origin + path);
  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  return { path, manifest: (await response.json()) as Manifest };
}

test.each([
  {
    page: '/contact',
    path: '/manifest.webmanifest',
    home: '/',
    lang: 'en',
    dir: 'ltr',
    name: 'Clipferry · TikTok downloader',
    mp3: 'TikTok to MP3',
  },
  {
    page: '/de/dmca',
    path: '/de/manifest.webmanifest',
    home: '/de',
    lang: 'de',
    dir: 'ltr',
    name: 'Clipferry · TikTok-Downloader',
    mp3: 'TikTok zu MP3',
  },
  {
    page: '/tr/ar',
    path: '/ar/manifest.webmanifest',
    home: '/ar',
    lang: 'ar',
    dir: 'rtl',
    name: expect.stringMatching(/^Clipferry · \p{Script=Arabic}/u) as string,
    mp3: expect.stringContaining('MP3') as string,
  },
])('$page names an application of its language', async ({ page, path, home, lang, dir, name, mp3 }) => {
  const found = await manifestOf(page);
  expect(found.path).toBe(path);
  const { manifest } = found;
  expect(manifest).toMatchObject({ lang, dir, name, start_url: home });
  // The same application in all languages.
  expect(manifest).toMatchObject({ id: '/', scope: '/', short_name: 'Clipferry' });
  expect(manifest.display_override).toEqual(['window-controls-overlay', 'standalone']);
  expect(manifest.description.length).toBeGreaterThan(20);
  const params = { title: 'title', text: 'text', url: 'url' };
  expect(manifest.share_target).toMatchObject({ action: home, method: 'GET', params });
  const ofWorker = await (await fetch(`${product.origin}${path}?files`)).json();
  expect(ofWorker).toEqual({
    ...manifest,
    share_target: {
      action: `${home.replace(/\/$/, '')}/many-posts`,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { ...params, files: [{ name: 'files', accept: expect.arrayContaining(['.zip']) as string[] }] },
    },
  });
  const prefix = home === '/' ? '' : home;
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(
    ['tiktok-downloader', 'tiktok-video-downloader', 'download-mp3-tiktok'].map(
      (tool) => `${prefix}/${tool}`,
    ),
  );
  expect(manifest.shortcuts.at(-1)?.name).toEqual(mp3);
});

test('its shortcuts and pictures exist, in the declared size', async () => {
  const { manifest } = await manifestOf('/');
  expect(manifest.icons.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable', 'monochrome']);
  for (const { url } of manifest.shortcuts)
    expect((await fetch(product.origin + url, { redirect: 'manual' })).status).toBe(200);
  expect(manifest.screenshots?.map(({ form_factor }) => form_factor)).toEqual(['wide', 'narrow']);
  const pictures = [
    ...manifest.icons,
    ...manifest.shortcuts.flatMap(({ icons }) => icons),
    ...(manifest.screenshots ?? []),
  ];
  for (const { src, type, sizes } of pictures) {
    const response = await fetch(product.origin + src);
    expect(response.headers.get('content-type')).toBe(type);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([src, `${width}x${height}`]).toEqual([src, sizes]);
  }
});
