import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorResponse, ResolveResponse } from '../../src/site/api.ts';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { openPage, type WatchedPage } from '../support/browser.ts';
import { runCli } from '../support/cli.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

interface Entry {
  readonly download_info: object;
}
const usual = JSON.parse(readFileSync('site.config.json', 'utf8')) as {
  readonly index_info: Entry;
  readonly index_modules: readonly [Entry, ...Entry[]];
};
const entry = (url: string, fields: object) => ({
  ...usual.index_modules[0],
  url,
  download_info: { ...usual.index_modules[0].download_info, ...fields },
});

/** The backend, which is a separate instance, and the visitors' site; both read the same platform. */
let other: Journey;
let site: Journey;
/** A backend with the behaviour that a test sets. */
let odd: (request: IncomingMessage, response: ServerResponse) => void;
const oddServer = createServer((request, response) => odd(request, response));
let oddOrigin: string;
let browser: Browser;

beforeAll(async () => {
  oddServer.listen(0, '127.0.0.1');
  [other, browser] = await Promise.all([sharedJourney(), sharedBrowser(), once(oddServer, 'listening')]);
  oddOrigin = `http://127.0.0.1:${(oddServer.address() as AddressInfo).port}`;
  const { origin } = other.product;
  const away = `http://127.0.0.1:${await freePort()}`;
  const SITE_CONFIG = siteFile({
    index_info: {
      ...usual.index_info,
      download_info: { ...usual.index_info.download_info, download_host: origin },
    },
    index_modules: [
      entry('/sound-elsewhere', { download_mp3_host: origin, mp3_url: '/api/resolve' }),
      entry('/sound-away', { download_mp3_host: away }),
      entry('/sound-alone', { download_btns: ['mp3'], download_mp3_host: origin }),
      entry('/with-a-way-out', { download_host: away, default_url: '/api/resolve' }),
      entry('/away', { download_host: away }),
      entry('/odd', { download_url: `${oddOrigin}/v2/find` }),
    ],
  });
  site = await startJourney({ platform: other.platform, env: { SITE_CONFIG } });
});
afterAll(async () => {
  oddServer.close();
  await site.stop();
});

async function resolveFor(page: string, name: string, locale = 'en') {
  const response = await site.get(`/api/resolve?locale=${locale}&page=${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: site.platform.links[name] ?? name }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    answer: (await response.json()) as ResolveResponse | ErrorResponse,
  };
}

/** The address of each file in a page's response. */
async function places(page: string, name = 'ordinary'): Promise<Record<string, string>> {
  const { answer } = await resolveFor(page, name);
  if (!('result' in answer)) throw new Error(JSON.stringify(answer));
  return Object.fromEntries(
    answer.result.options.map(({ id, href }) => [id, href.startsWith('/') ? 'here' : new URL(href).origin]),
  );
}

describe('the API', () => {
  test('returns what the backend of the page returns, with its files there and its pictures here', async () => {
    const { answer } = await resolveFor('/', 'photos');
    if (!('result' in answer)) throw new Error(JSON.stringify(answer));
    const { post, options } = answer.result;
    for (const option of options) {
      expect(option.href).toMatch(new RegExp(`^${other.product.origin}/api/files/`));
      expect(option).not.toHaveProperty('status_href');
    }
    expect((await fetch(options.find(({ id }) => id === 'jpg-1')?.href ?? '')).status).toBe(200);
    const pictures = [post.cover_url, ...options.flatMap((option) => option.preview_url ?? [])];
    expect(pictures.length).toBeGreaterThan(4);
    for (const path of pictures) {
      const picture = await site.get(path ?? '');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    }
  });

  test.each([
    ['/sound-elsewhere', { mp4: 'here', 'mp4-hd': 'here', mp3: 'other', m4a: 'other' }],
    ['/sound-away', { mp4: 'here', 'mp4-hd': 'here', mp3: 'here', m4a: 'here' }],
    ['/sound-alone', { mp4: 'other', 'mp4-hd': 'other', mp3: 'other', m4a: 'other' }],
    ['/with-a-way-out', { mp4: 'here', 'mp4-hd': 'here', mp3: 'here', m4a: 'here' }],
  ])('uses the files of %s where its configuration says', async (page, expected) => {
    const named = Object.entries(expected).map(([id, place]) => [
      id,
      place === 'other' ? other.product.origin : place,
    ]);
    expect(await places(page)).toEqual(Object.fromEntries(named));
  });

  test('answers itself when no page is named, and refuses an unknown page', async () => {
    expect(await site.href('ordinary', 'mp4')).toMatch(/^\/api\/files\//);
    for (const page of ['/nowhere', 'away', ''])
      expect((await resolveFor(page, 'ordinary')).status).toBe(400);
  });

  test('reports what is wrong with a post as if it had read it itself', async () => {
    const { status, answer } = await resolveFor('/', 'deleted', 'de');
    const own = await site.resolve('deleted', { 'accept-language': 'de' });
    expect(status).toBe(404);
    expect(answer).toEqual(own.answer);
  });

  test.each(sample(['en', 'tr'], (locale) => locale === 'tr'))(
    'reports that a backend is unavailable (%s)',
    async (locale) => {
      const { status, retryAfter, answer } = await resolveFor('/away', 'ordinary', locale);
      expect([status, retryAfter]).toEqual([503, '30']);
      expect(answer).toMatchObject({ error: { key: 'unavailable' } });
      const count = await site.product.metric('clipferry_resolve_backend_calls_total', {
        result: 'unavailable',
      });
      expect(count).toBeGreaterThan(0);
    },
  );

  test('does not show from elsewhere what is taken down here', async () => {
    const env = { DATA_DIR: site.product.dataFolder, ...site.platform.environment };
    const link = site.platform.link('very-short');
    expect((await runCli(['takedown', 'add', link], env)).code).toBe(0);
    await until('it is refused', async () => (await resolveFor('/', 'very-short')).status === 451);
    expect((await other.resolve('very-short')).status).toBe(200);
  });

  test('sends only the link, with what the configuration adds', async () => {
    let requested: unknown;
    odd = async (request, response) => {
      const { method, url, headers } = request;
      requested = { method, url, cookie: headers.cookie, body: JSON.parse(await text(request)) as unknown };
      response.writeHead(404).end('{"code":404,"error":{"key":"post_gone","message":"x"}}');
    };
    const link = site.platform.link('ordinary');
    expect((await resolveFor('/odd', `Look at this: ${link} #fyp`)).status).toBe(404);
    expect(requested).toEqual({
      ...{ method: 'POST', url: '/v2/find', cookie: undefined },
      body: { mp3_task: 0, url: expect.stringMatching(/^https:\/\/www\.tiktok\.com\/\S+$/) as string },
    });
  });

  const unusable: [string, typeof odd][] = [
    [
      'leads elsewhere',
      (_, response) => response.writeHead(307, { location: `${other.product.origin}/api/resolve` }).end(),
    ],
    ['answers with a page', (_, response) => response.end('<html>')],
    ['answers with nothing', (_, response) => response.writeHead(500).end()],
    ['breaks off', (_, response) => response.destroy()],
    ['gives no result', (_, response) => response.end('{"code":200}')],
    ['answers without an end', (_, response) => response.end(Buffer.alloc(2 ** 20 + 1, 0x20))],
  ];
  test.each(sample(unusable, ([how]) => how !== 'breaks off' && how !== 'answers with nothing'))(
    'counts a backend that %s as unavailable',
    async (_, handler) => {
      odd = handler;
      const { status, answer } = await resolveFor('/odd', 'ordinary');
      expect([status, 'error' in answer && answer.error.key]).toEqual([503, 'unavailable']);
    },
  );

  test('fetches pictures only from its backends, and nothing but pictures', async () => {
    const stranger = await site.get('/api/pictures/x/backend?at=http%3A%2F%2F127.0.0.1%3A1');
    expect(stranger.status).toBe(404);
    odd = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>');
    const at = encodeURIComponent(oddOrigin);
    expect((await site.get(`/api/pictures/x/backend?at=${at}`)).status).toBe(502);
    odd = (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
    const picture = await site.get(`/api/pictures/x/backend?at=${at}`);
    expect([picture.headers.get('content-type'), await picture.text()]).toEqual(['image/png', 'picture']);
  });
});

describe('a page', () => {
  let watched: WatchedPage | undefined;
  afterEach(async () => {
    await watched?.context.close();
    // The browser requests only the pressed files from the backend.
    const files = `asked ${other.product.origin}/api/files/`;
    expect((watched?.problems ?? []).filter((problem) => !problem.startsWith(files))).toEqual([]);
    watched = undefined;
  });

  async function open(path: string, options?: Parameters<typeof openPage>[2]): Promise<Page> {
    watched = await openPage(browser, site.product.origin, options);
    await watched.page.goto(path);
    return watched.page;
  }
  async function submit(page: Page, name: string): Promise<void> {
    await page.locator('#link').fill(site.platform.link(name));
    await page.locator('.link-submit').click();
  }
  const savedBy = async (page: Page, act: () => Promise<unknown>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    await download.path();
    return download;
  };
  const areShown = (page: Page, images: string) =>
    page.waitForFunction((selector) => {
      const found = [...document.querySelectorAll<HTMLImageElement>(selector)];
      return found.length > 0 && found.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    }, images);

  test('gives the backend’s files to the browser, and stays where it is', async () => {
    const page = await open('/');
    await page.locator('.link-paste').waitFor();
    await submit(page, 'ordinary');
    await areShown(page, '.result-cover img');
    for (const name of [/Download video/, /Download MP3/]) {
      const download = await savedBy(page, () => page.getByRole('link', { name }).click());
      expect(download.url().startsWith(`${other.product.origin}/api/files/`)).toBe(true);
      expect(download.suggestedFilename()).toContain('ferry.captain-');
    }
    await page.getByText('Download started').first().waitFor();
    expect(page.url()).toContain(`${site.product.origin}/?url=`);
  });

  test('shows pictures of a backend, and saves the chosen ones', { skip: !isAudit }, async () => {
    const page = await open('/');
    await page.locator('.link-paste').waitFor();
    await submit(page, 'photos');
    await areShown(page, '.gallery-picture img');
    const saved: string[] = [];
    page.on('download', (download) => saved.push(download.suggestedFilename()));
    for (const number of [1, 3]) await page.getByRole('checkbox', { name: `Photo ${number}` }).check();
    await page.getByRole('button', { name: 'Download 2 photos' }).click();
    await until('both are saved', () => saved.length === 2);
    expect(saved.map((name) => name.slice(-6))).toEqual(['01.jpg', '03.jpg']);
  });

  test('has its video from here and its sound from there', { skip: !isAudit }, async () => {
    const page = await open('/sound-elsewhere');
    await page.locator('.link-paste').waitFor();
    await submit(page, 'ordinary');
    for (const [name, origin] of [
      [/Download video/, site.product.origin],
      [/Download MP3/, other.product.origin],
    ] as const) {
      const download = await savedBy(page, () => page.getByRole('link', { name }).click());
      expect(download.url().startsWith(`${origin}/api/files/`)).toBe(true);
    }
  });

  test('works without scripts', { skip: !isAudit }, async () => {
    const page = await open('/tr', { javaScriptEnabled: false });
    await submit(page, 'ordinary');
    const download = await savedBy(page, () => page.locator('.option-link').first().click());
    expect(download.url().startsWith(`${other.product.origin}/api/files/`)).toBe(true);
    await page.goto('/tr/away');
    const [response] = await Promise.all([page.waitForNavigation(), submit(page, 'ordinary')]);
    expect([response?.status(), response?.headers()['retry-after']]).toEqual([503, '30']);
    expect(await page.locator('#tool-failure').textContent()).toMatch(/[ğışç]/);
  });

  test('reports that its backend is unavailable', { skip: !isAudit }, async () => {
    const page = await open('/away');
    await page.locator('.link-paste').waitFor();
    await submit(page, 'ordinary');
    await page.locator('#tool-failure').getByText('We’re having trouble on our side').waitFor();
  });
});
