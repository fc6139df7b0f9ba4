import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeImportLock } from '../../src/content/import/import-lock.ts';
import { makeZip } from '../../src/features/operator/articles/import/testing/make-zip.ts';
import type { DatabasePlace } from '../../src/stores/contracts/testing/services/databases.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type DeskVisit, operatorPassword, visitDesk } from '../support/desk.ts';
import { type Journey, type JourneyOptions, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { childrenOf, isRunning } from '../support/processes.ts';
import { makeDataFolder } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { until } from '../support/until.ts';

const page = '/operator/articles';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

/** The file of an article in a zip like `content/`. */
function fileOf(key: string, locale: string, fields: string, body: string) {
  const front = `title: The ${key} (${locale})\ndescription: About it.\ncategory: guides\nauthor: editorial-team\n`;
  return {
    name: `content/articles/${key}/${locale}.md`,
    bytes: `---\n${front}published: 2026-10-01\n${fields}---\n\n${body}\n`,
  };
}

const zipOf = (...files: Parameters<typeof makeZip>[0]) =>
  new Blob([new Uint8Array(makeZip(files))], { type: 'application/zip' });

/** One article in two languages; the second one has its own address. */
const english = fileOf('brass-lantern', 'en', '', 'A **lantern** of brass.');
const arabic = fileOf('brass-lantern', 'ar', 'slug: fanous\n', 'نص عن الفانوس.');

describe.each(journeyEngines)('articles at the desk on $name', (engine) => {
  let journey: Journey;
  let desk: DeskVisit;
  let place: DatabasePlace;
  let options: JourneyOptions;
  let env: Record<string, string>;

  beforeAll(async () => {
    place = await engine.makePlace();
    const { DATA_DIR: dataFolder = makeDataFolder() } = place.environment;
    // Like a public site: with a page cache.
    options = {
      dataFolder,
      env: { OPERATOR_PASSWORD: operatorPassword, PAGE_CACHE: '1', ...place.environment },
    };
    journey = await startJourney({ platform, ...options });
    env = { DATA_DIR: dataFolder, ...place.environment };
    desk = visitDesk(journey);
    await desk.logIn();
  });
  afterAll(async () => {
    await journey.stop();
    rmSync(env.DATA_DIR ?? '', { recursive: true, force: true });
    await place.remove();
  });

  const statusOf = async (path: string) => (await journey.get(path)).status;
  const textOf = async (path: string) => (await journey.get(path)).text();
  const bring = (how: 'check' | 'import', zip: Blob, fields = {}) =>
    desk.send(page, 'bring', { how, ...fields, file: zip });
  const uploads = () => readdirSync(join(env.DATA_DIR ?? '', 'desk-uploads'));

  test('a zip with mistakes changes nothing, and each mistake is named with its file and line', {
    skip: !isAudit,
  }, async () => {
    const wrong = fileOf('broken', 'en', 'updated: 2026-09-01\n', '![](missing.png)');
    const sent = await bring('import', zipOf(english, wrong));
    expect(sent.notice).toContain('Mistakes: 2, listed below');
    expect(sent.html).toMatch(/content\/articles\/broken\/en\.md.*>7<.*updated: is before published/s);
    expect(sent.html).toMatch(/content\/articles\/broken\/en\.md.*>10<.*there is no picture missing\.png/s);
    expect((await desk.request(`${page}/brass-lantern/en`)).status).toBe(404);
    expect((await bring('check', new Blob(['no zip']))).html).toContain('is no zip that can be read');
    expect((await bring('check', new Blob([]))).notice).toBe('Choose a zip.');
    await until('nothing is left of them', async () => uploads().length === 0);
  });

  test('a zip is checked, imported unpublished, previewed, published, and withdrawn permanently', async () => {
    const checked = await bring('check', zipOf(english, arabic), { unpublished: 'yes' });
    expect(checked.notice).toContain('All is well: 2 new, 0 changed and 0 unchanged');
    expect((await desk.request(`${page}/brass-lantern/en`)).status).toBe(404);
    expect((await bring('import', zipOf(english, arabic), { unpublished: 'yes' })).notice).toBe(
      'Imported: 2 new, 0 changed and 0 unchanged articles.',
    );
    await until('nothing is left of it', async () => uploads().length === 0);

    expect(await statusOf('/brass-lantern')).toBe(404);
    expect(await desk.read(`${page}?show=unpublished`)).toMatch(
      /data-state="unpublished".*brass-lantern\/ar/s,
    );
    for (const [find, isFound] of [
      ['brass-lan', true],
      ['https://site.example/ar/fanous', true],
      ['/brass-lantern', true],
      ['lantern', false],
      ["'%", false],
    ] as const) {
      const list = await desk.read(`${page}?${new URLSearchParams({ find })}`);
      expect([find, list.includes(`${page}/brass-lantern/en"`)]).toEqual([find, isFound]);
    }
    const preview = await desk.read(`${page}/brass-lantern/ar`);
    expect(preview).toMatch(/<article[^>]* lang="ar" dir="rtl".*نص عن الفانوس/s);
    expect(await desk.read(`${page}/brass-lantern/en`)).toContain('<strong>lantern</strong>');
    expect((await desk.request(`${page}/brass-lantern/de`)).status).toBe(404);

    const all = await desk.send(page, 'publish', { key: 'brass-lantern', locale: '' });
    expect(all.notice).toContain('brass-lantern is published (ar, en)');
    await until('it is read', async () => (await statusOf('/brass-lantern')) === 200);
    const lists = [
      '/posts',
      '/feed.xml',
      '/atom.xml',
      '/feed.json',
      '/posts/guides',
      '/sitemap-articles-en-1.xml',
    ];
    for (const path of lists)
      await until(`${path} names it`, async () => (await textOf(path)).includes('brass-lantern'));
    await until('its translation names it', async () =>
      (await textOf('/ar/fanous')).includes('/brass-lantern"'),
    );

    const back = await desk.send(`${page}/brass-lantern/en`, 'unpublish', {
      key: 'brass-lantern',
      locale: 'en',
    });
    expect(back.notice).toContain('brass-lantern is unpublished (en)');
    await until('it is gone', async () => (await statusOf('/brass-lantern')) === 404);
    for (const path of lists)
      await until(`${path} does not name it`, async () => !(await textOf(path)).includes('brass-lantern'));
    await until(
      'its translation does not name it',
      async () => !(await textOf('/ar/fanous')).includes('/brass-lantern"'),
    );

    const changed = fileOf('brass-lantern', 'en', 'updated: 2026-11-01\n', 'Another text.');
    expect((await bring('import', zipOf(changed))).notice).toContain('0 new, 1 changed');
    expect(await statusOf('/brass-lantern')).toBe(404);
    expect(await desk.read(`${page}/brass-lantern/en`)).toContain('Another text.');
    const log = await desk.read('/operator/log');
    for (const entry of [
      'articles bring: check of an archive',
      'articles bring: archive',
      'articles publish: article brass-lantern (ar, en)',
      'articles unpublish: article brass-lantern (en)',
    ])
      expect(log).toContain(entry);
  });

  test('a command withdraws articles and publishes them', { skip: !isAudit }, async () => {
    const listed = async () => {
      const { output } = await runCli(['posts', 'list', '--json', '--locale', 'en'], env);
      const rows = JSON.parse(output) as { key: string; unpublishedAt: number | null }[];
      return rows.find(({ key }) => key === 'mp3-or-m4a')?.unpublishedAt;
    };
    expect(await statusOf('/mp3-or-m4a')).toBe(200);
    const { output } = await runCli(['posts', 'unpublish', 'mp3-or-m4a', '--locale', 'en'], env);
    expect(output).toContain('unpublished mp3-or-m4a (en)');
    expect(await listed()).toBeGreaterThan(0);
    await until('it is gone', async () => (await statusOf('/mp3-or-m4a')) === 404);
    expect((await runCli(['posts', 'publish', 'mp3-or-m4a', 'no-such'], env)).code).toBe(1);
    expect(await listed()).toBeNull();
    await until('it is back', async () => (await statusOf('/mp3-or-m4a')) === 200);
  });

  test('accepts no file from the form of another page, and none that is too large', async () => {
    const post = (token: string, headers: Record<string, string>, file = zipOf(english)) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ token, action: 'bring', how: 'import' }))
        body.append(name, value);
      body.append('file', file);
      return desk.request(page, { method: 'POST', headers, body });
    };
    const token = /name="token" value="([^"]+)"/.exec(await desk.read(page))?.[1] ?? '';
    const here = { 'sec-fetch-site': 'same-origin' };
    expect((await post('', here)).status).toBe(400);
    expect((await post(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const stranger = visitDesk(journey);
    const body = new FormData();
    body.append('file', zipOf(english));
    expect((await stranger.request(page, { method: 'POST', headers: here, body })).status).toBe(303);
    const headers = {
      ...here,
      cookie: [...desk.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(51 * 2 ** 20),
    };
    const { status } = await rawRequest(journey.product.origin, page, {
      method: 'POST',
      headers,
      body: '--x',
    });
    expect(status).toBe(413);
    // A form that breaks off in its file, at once or later, ends only the request.
    const start = `--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n${token}\r\n--x\r\n`;
    for (const rest of ['', 'content-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK'])
      expect(
        (
          await rawRequest(journey.product.origin, page, {
            method: 'POST',
            headers: { ...headers, 'content-length': String((start + rest).length) },
            body: start + rest,
          })
        ).status,
      ).toBe(400);
    await until('nothing is left of it', async () => uploads().length === 0);
  });

  test('an import ends with the site that is killed, publishes nothing, and is told as failed', async () => {
    const other = await place.open();
    // The import waits for this one's end, so it is not done before the site is killed.
    const lock = await takeImportLock(other.query, () => {}, Date.now);
    const lantern = fileOf('iron-lantern', 'en', '', 'A lantern of iron.');
    const broken = bring('import', zipOf(lantern));
    broken.catch(() => {});
    await until('it is unpacked', () => existsSync(join(env.DATA_DIR ?? '', 'desk-uploads/unpacked')));
    const children = childrenOf(journey.product.pid);
    expect(children.length).toBeGreaterThan(0);
    process.kill(journey.product.pid, 'SIGKILL');
    await expect(broken).rejects.toThrow();
    await until('it has ended', () => !children.some(isRunning));
    await journey.product.stop();
    await lock.release();
    await other.close();

    journey = await startJourney({ platform, ...options });
    desk = visitDesk(journey);
    await desk.logIn();
    const failed = 'The site ended before this did.';
    await until('the log says so', async () => (await desk.read('/operator/log')).includes(failed));
    await until('nothing is left of it', async () => uploads().length === 0);
    expect(await statusOf('/iron-lantern')).toBe(404);
    expect((await bring('import', zipOf(lantern))).notice).toContain('Imported: 1 new');
    await until('it is read', async () => (await statusOf('/iron-lantern')) === 200);
  });
});
