import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { untilScriptsRun } from '../support/browser.ts';
import { visitInBrowser } from '../support/browser-visit.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { numberedId } from '../support/platform.ts';
import { readZip } from '../support/zip.ts';

/** A visitor of whom nothing is held back: no test waits for a pace. */
const generous = { RESOLVES_PER_MINUTE: '100000', FILES_PER_MINUTE: '100000' };

let journey: Journey;
const visits = visitInBrowser(async () => {
  journey = await startJourney({ env: generous });
  return journey.product;
});

const idIn = (link: string) => /\d{15,}/.exec(link)?.[0] ?? '';
const shared = (id: string) => `https://www.tiktokv.com/share/video/${id}/`;
const named = (name: string) => shared(idIn(journey.platform.link(name)));
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => shared(numberedId(from + at)));

const gone = ['deleted', 'never-existed', 'author-banned', 'private-post', 'friends-only'];
const photos = ['photos', 'photos-one', 'photos-moving'];

/** An export with two lists that have five posts in common. */
function exportOf(links: readonly string[]) {
  const rows = links.map((Link, at) => ({ Date: `2024-05-${10 + (at % 20)} 10:00:00`, Link }));
  return JSON.stringify({
    'Likes and Favorites': {
      'Like List': { ItemFavoriteList: rows.slice(0, -5) },
      'Favorite Videos': { FavoriteVideoList: rows.slice(-10) },
    },
    'Your Activity': { 'Watch History': { VideoList: numbered(90_000, 30).map((Link) => ({ Link })) } },
  });
}

async function openRunPage(prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const { page } = await visits.open();
  await prepare(page);
  await page.goto('/many-posts');
  await untilScriptsRun(page);
  await page.getByText('Drop your export here').waitFor();
  return page;
}

const give = (page: Page, text: string) =>
  page.locator('input[type="file"]').setInputFiles({
    ...{ name: 'user_data_tiktok.json', mimeType: 'application/json', buffer: Buffer.from(text) },
  });

const countOf = async (page: Page) =>
  Number(/^\d+/.exec((await page.locator('.many-counts strong').innerText()) ?? '')?.[0]);

async function untilDone(page: Page, posts: number): Promise<void> {
  await expect.poll(() => countOf(page), { timeout: 60_000 }).toBeGreaterThanOrEqual(posts);
}

/** A folder of the page's own files stands for the one that a visitor chooses. */
const withFolder = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('chosen', { create: true }),
    });
  });

/** Every file of the chosen folder: its path, its length, and the text of lists. */
const filesOf = (page: Page) =>
  page.evaluate(async () => {
    const found: Record<string, { size: number; text: string }> = {};
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle, `${path}${name}/`);
        else {
          const file = await (handle as FileSystemFileHandle).getFile();
          const text = /posts\.\w+$/.test(name) ? await file.text() : '';
          found[path + name] = { size: file.size, text };
        }
      }
    };
    await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle('chosen'), '');
    return found;
  });

interface Line {
  readonly link: string;
  readonly state: string;
  readonly reason: string | null;
  readonly files: readonly string[];
  readonly zip: number | null;
}

/** As many as a visitor may have in the audit; fewer otherwise. */
const posts = isAudit ? 300 : 40;

test('an export is saved into a folder, over reloads and a platform that is shut for a while', async () => {
  const { platform } = journey;
  const page = await openRunPage(async (opened) => {
    await withFolder(opened);
    await opened.clock.install();
  });
  const links = [
    ...numbered(50_000, posts - gone.length - photos.length),
    ...[...gone, ...photos].map(named),
  ];
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  await give(page, exportOf(links));
  await page.getByRole('checkbox', { name: /Likes.*May 10/ }).waitFor();
  await page.getByRole('checkbox', { name: /Favorites/ }).check();
  await page.getByText('Duplicates left out: 5').waitFor();
  // Nothing of the export is sent.
  expect(sent.filter((body) => body !== '')).toEqual([]);
  await platform.configure({ posts: { 'photos-one': { latencyMs: 500 } } });
  await page.getByRole('button', { name: `Save posts (${posts})` }).click();

  await untilDone(page, posts / 5);
  await page.reload();
  const goOn = page.getByRole('button', { name: 'Resume' });
  await goOn.waitFor();
  expect(await countOf(page)).toBeLessThan(posts / 2);
  await platform.configure({ clients: { '': 'challenge' } });
  await goOn.click();
  await page.locator('.many-running .notice', { hasText: 'Continues automatically at' }).waitFor();
  await platform.configure({ clients: { '': null } });
  await page.clock.fastForward(60_000);

  await untilDone(page, posts / 2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.reload();
  await goOn.click();
  const done = page.getByRole('heading', { name: 'Done' });
  const again = page.getByRole('button', { name: /^Try again/ });
  await expect
    .poll(
      async () => {
        // What waits for a troubled platform waits no minute here, and what gave up is tried again.
        await page.clock.fastForward(20_000);
        if (await again.isVisible()) await again.click();
        return (await done.isVisible()) && !(await again.isVisible());
      },
      { timeout: 120_000, interval: 500 },
    )
    .toBe(true);
  await page.getByText(`Not saved: ${gone.length}`).waitFor();

  const files = await filesOf(page);
  const [folder = ''] = Object.keys(files)[0]?.split('/') ?? [];
  const { text = '' } = files[`${folder}/posts.json`] ?? {};
  const lines = JSON.parse(text) as Line[];
  expect(lines).toHaveLength(posts);
  expect(new Set(lines.map(({ link }) => idIn(link)))).toEqual(new Set(links.map(idIn)));
  const lost = lines.filter(({ state }) => state === 'failed');
  expect(lost.map(({ link }) => idIn(link)).sort()).toEqual(gone.map((name) => idIn(named(name))).sort());
  expect(lost.every(({ reason }) => /^(post|account)_/.test(reason ?? ''))).toBe(true);
  const saved = lines.flatMap((line) => line.files);
  expect(Object.keys(files).sort()).toEqual(
    [...saved, 'posts.csv', 'posts.json'].map((path) => `${folder}/${path}`).sort(),
  );
  expect(saved.filter((path) => /\/0\d\.(jpg|mp4)$/.test(path)).length).toBe(4 + 1 + 4);
  const whole = (await journey.get(await journey.href('numbered', 'mp4'))).headers.get('content-length');
  const videos = saved.filter((path) => path.endsWith('.mp4') && !path.includes('/'));
  expect(videos).toHaveLength(posts - gone.length - photos.length);
  expect(new Set(videos.map((path) => files[`${folder}/${path}`]?.size))).toEqual(new Set([Number(whole)]));
  expect(files[`${folder}/posts.csv`]?.text.split('\r\n')).toHaveLength(posts + 2);
}, 300_000);

test('a refused folder, a full device, another tab and a device asleep each stop a run with its reason', async () => {
  const page = await openRunPage(async (opened) => {
    await withFolder(opened);
    await opened.clock.install();
    // The folder does as the test says.
    await opened.addInitScript(() => {
      const { showDirectoryPicker, FileSystemFileHandle: Handle } = globalThis as unknown as {
        showDirectoryPicker(): Promise<unknown>;
        FileSystemFileHandle: { prototype: { createWritable(): Promise<unknown> } };
      };
      const { createWritable } = Handle.prototype;
      const refuse = () => {
        const name = document.documentElement.dataset.trouble ?? '';
        if (name !== '') throw new DOMException('', name);
      };
      Object.assign(globalThis, {
        async showDirectoryPicker() {
          refuse();
          return showDirectoryPicker();
        },
      });
      Handle.prototype.createWritable = async function () {
        refuse();
        return createWritable.call(this);
      };
    });
  });
  const trouble = (name: string) =>
    page.evaluate((given) => {
      document.documentElement.dataset.trouble = given;
    }, name);
  const said = (on: Page, text: string) => on.locator('.notice', { hasText: text });
  const goOn = (on: Page) => on.getByRole('button', { name: 'Resume' });
  await page.getByLabel('Or paste links').fill(numbered(80_000, 8).join(' '));
  await page.getByRole('button', { name: 'Find the posts' }).click();
  const save = page.getByRole('button', { name: 'Save posts (8)' });
  await trouble('NotAllowedError');
  await save.click();
  await said(page, 'The folder is gone, or access to it was denied').waitFor();

  await trouble('');
  await page.getByRole('radio', { name: 'MP4 + MP3' }).check();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  await page.route('**/api/files/**', async (route) => {
    await taken;
    await route.continue();
  });
  await save.click();
  await page.getByRole('heading', { name: 'Saving your posts' }).waitFor();
  await page.clock.fastForward(600_000);
  await said(page, 'Your device was asleep').waitFor();
  await trouble('NotAllowedError');
  take();
  await said(page, 'The folder is gone, or access to it was denied').waitFor();

  const other = await page.context().newPage();
  await other.goto('/many-posts');
  await goOn(other).click();
  await said(other, 'These posts are being saved in another tab').waitFor();
  await other.close();

  await trouble('QuotaExceededError');
  await goOn(page).click();
  await said(page, 'Your device is full').waitFor();
  await trouble('');
  await goOn(page).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  const names = Object.keys(await filesOf(page)).map((path) => path.replace(/^.*\.(?=\w+$)/, ''));
  expect(names.filter((type) => type === 'mp4')).toHaveLength(8);
  expect(names.filter((type) => type === 'mp3')).toHaveLength(8);
}, 90_000);

test('a run goes on where it was when the language changes, and stays paused', async () => {
  const page = await openRunPage();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let files = 0;
  await page.route('**/api/files/**', async (route) => {
    files += 1;
    if (files > 3) await held;
    await route.continue();
  });
  await page.getByLabel('Or paste links').fill(numbered(85_000, 8).join(' '));
  await page.getByRole('button', { name: 'Find the posts' }).click();
  await page.getByRole('radio', { name: /ZIP/ }).check();
  await page.getByRole('button', { name: 'Save posts (8)' }).click();
  await untilDone(page, 3);
  const footer = page.locator('.footer-languages');
  await footer.getByRole('link', { name: 'Srpski' }).click();
  await page.waitForFunction(() => document.documentElement.lang === 'sr-Latn');
  expect(await page.locator('.many-counts strong').innerText()).toMatch(/\b3\b.*\b8\b/);
  await page.getByRole('button', { name: 'Pauza' }).click();
  await page.getByRole('button', { name: 'Nastavi' }).waitFor();
  await footer.getByRole('link', { name: 'English' }).click();
  const goOn = page.getByRole('button', { name: 'Resume' });
  await goOn.waitFor();
  release();
  await goOn.click();
  await untilDone(page, 8);
  expect(files).toBeLessThan(16);
});

test('a run whose code a new version of the site has replaced waits in the new document', async () => {
  const page = await openRunPage();
  await page.getByLabel('Or paste links').fill(numbered(86_000, 2).join(' '));
  await page.getByRole('button', { name: 'Find the posts' }).click();
  await page.getByRole('radio', { name: /ZIP/ }).check();
  await page.route('**/open-run-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await page.getByRole('button', { name: 'Save posts (2)' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await untilDone(page, 2);
});

test('more links than a list has wait on the page for many posts, and are not sent', async () => {
  const { origin } = journey.product;
  const { page } = await visits.open();
  const text = [...numbered(70_000, 25), ...numbered(70_000, 5)].join('\n');
  const found = page.getByRole('checkbox', { name: /Posts: 25/ });
  await page.goto('/');
  await untilScriptsRun(page);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));
  await page.locator('#link').fill(text.replaceAll('\n', ' '));
  await page.locator('.link-submit').click();
  await found.waitFor();
  expect(new URL(page.url()).pathname).toBe('/many-posts');
  expect(sent.filter((body) => body.includes('tiktokv'))).toEqual([]);

  // Without scripts there are the first ones, and a way to the page.
  const answer = await fetch(origin, { method: 'POST', body: new URLSearchParams({ url: text }) });
  expect(await answer.text()).toMatch(/class="list-more">[^<]*first 20.*?<a href="\/many-posts"/);
});

test('the front page opens an export without scripts by a link, and with them by a key', async () => {
  const { page } = await visits.open({ javaScriptEnabled: false });
  await page.goto('/de');
  expect(await page.getByRole('link', { name: /^Export von TikTok/ }).getAttribute('href')).toBe(
    '/de/many-posts',
  );

  const { page: other } = await visits.open();
  const chooser = other.waitForEvent('filechooser');
  await other.goto('/');
  await untilScriptsRun(other);
  const sent: string[] = [];
  other.on('request', (request) => sent.push(request.postData() ?? ''));
  const picker = other.getByLabel('Got your TikTok export?');
  await picker.press('Enter');
  const buffer = Buffer.from(exportOf(numbered(60_000, 12)));
  await (await chooser).setFiles({ name: 'user_data_tiktok.json', mimeType: 'application/json', buffer });
  await other.getByRole('checkbox', { name: /Favorites/ }).waitFor();
  expect(new URL(other.url()).pathname).toBe('/many-posts');
  expect(sent.filter((body) => body !== '')).toEqual([]);
});

test.each([10_000, 3_000_000])(
  'a shared file of %i bytes that reaches the server is dropped, and the page says so',
  async (bytes) => {
    const { page } = await visits.open();
    await page.goto('/dmca');
    await page.evaluate((size) => {
      const form = document.createElement('form');
      Object.assign(form, { action: '/many-posts', method: 'POST', enctype: 'multipart/form-data' });
      const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files' });
      const held = new DataTransfer();
      held.items.add(new File(['x'.repeat(size)], 'user_data_tiktok.json'));
      files.files = held.files;
      form.append(files);
      document.body.append(form);
      form.submit();
    }, bytes);
    await page.locator('.notice', { hasText: 'deleted it unread' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await give(page, exportOf(numbered(60_000, 12)));
    await page.getByRole('checkbox', { name: /Favorites/ }).waitFor();
  },
);

test('a picture of the page that is dropped on it leads nowhere', async () => {
  const { page } = await visits.open();
  await page.goto('/');
  await untilScriptsRun(page);
  const isTaken = await page.evaluate(() => {
    const drag = (kind: string) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'cover.jpg', { type: 'image/jpeg' }));
      const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    };
    return [drag('dragstart'), drag('dragover'), drag('drop')];
  });
  expect(isTaken).toEqual([false, false, false]);
});

test('a dropped export is saved as a zip, under names of one’s own that the whole site takes over', async () => {
  const { page } = await visits.open();
  await page.goto('/');
  await untilScriptsRun(page);
  const text = exportOf([...numbered(60_000, 12), named('photos')]);
  const hold = (type: string) =>
    page.evaluate(
      ([kind, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content ?? ''], 'user_data_tiktok.json'));
        document.body.dispatchEvent(
          new DragEvent(kind ?? '', { dataTransfer, bubbles: true, cancelable: true }),
        );
      },
      [type, text],
    );
  await hold('dragenter');
  await expect
    .poll(async () => {
      await hold('drop');
      return new URL(page.url()).pathname;
    })
    .toBe('/many-posts');
  await page.getByRole('checkbox', { name: /Favorites/ }).check();
  await page.getByText('File names').click();
  await page.getByLabel('Applies to every file').fill('{n} {author} {date}');
  await page.getByText('Example: 1 ferry.captain 2026-03-06.mp4').waitFor();
  await page.getByRole('radio', { name: /ZIP/ }).check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save posts (13)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^[\w.]+-\d{4}-\d\d-\d\d-\d\d-\d\d-1\.zip$/);
  const zipped = readZip(await readFile(await file.path()));
  const names = zipped.map(({ name }) => name).sort();
  expect(names).toContain('posts.csv');
  expect(names.filter((name) => /^\d+ ferry\.captain \d{4}-\d\d-\d\d\.mp4$/.test(name))).toHaveLength(12);
  expect(names.filter((name) => /^\d+ ferry\.captain [\d-]+\/0[1-4]\.jpg$/.test(name))).toHaveLength(4);
  const list = zipped.find(({ name }) => name === 'posts.json')?.bytes.toString() ?? '';
  const lines = JSON.parse(list) as Line[];
  expect(lines.map(({ state, zip }) => [state, zip])).toEqual(Array(13).fill(['saved', 1]));
  expect(lines.flatMap(({ files }) => files).sort()).toEqual(
    names.filter((name) => !name.startsWith('posts.')),
  );

  // What is handed over next does not wait for the visitor to clear a run that is over.
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  await page.goto('/');
  await untilScriptsRun(page);
  await page.locator('#link').fill(numbered(80_000, 21).join(' '));
  await page.locator('.link-submit').click();
  await page.getByRole('checkbox', { name: /Posts: 21/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByText('Drop your export here').waitFor();
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const single = await journey.get(await journey.href('ordinary', 'mp4'), { headers: { cookie } });
  expect(single.headers.get('content-disposition')).toMatch(/filename="?ferry\.captain \d{4}-\d\d-\d\d\.mp4/);
});
