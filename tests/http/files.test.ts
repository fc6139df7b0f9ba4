import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMb } from '../../bench/support/process-cost.ts';
import { readyResponse } from '../../src/api/schemas.ts';
import { createTickets } from '../../src/downloader/tickets/tickets.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { arrivalOf, bytesOf, digest, postOf, secret } from '../support/ticketed-files.ts';
import { until } from '../support/until.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { SECRET_KEY: secret } });
});
afterAll(() => journey.stop());

const counted = [
  ['ordinary', 'mp3', ''],
  ['dash-hd', 'mp4-hd', ''],
  ['photos', 'zip', ''],
  ['photos', 'jpg-1', ''],
  ['ordinary', 'mp4', 'from=1&to=3&'],
] as const;

test.each(sample(counted, ([, option]) => option !== 'jpg-1'))(
  '%s as %s?%s is counted to its last byte',
  async (name, option, query) => {
    const href = await journey.href(name, option);
    const press = createHash('md5').update(href).digest('hex');
    const { length } = await bytesOf(await journey.get(`${href}?${query}press=${press}`));
    await until('it has ended', async () => (await arrivalOf(journey, href, press)).state !== 'sending');
    expect(await arrivalOf(journey, href, press)).toEqual({ state: 'sent', bytes: length });
  },
);

describe('an mp4', () => {
  let href: string;
  let whole: Buffer;
  let etag: string;
  beforeAll(async () => {
    href = await journey.href('ordinary', 'mp4');
    const response = await journey.get(href);
    etag = response.headers.get('etag') ?? '';
    whole = await bytesOf(response);
  });

  test.each([
    ['ordinary', 'mp4', 'default'],
    ['ordinary', 'mp4-hd', 'hd'],
    ['moov-last', 'mp4', 'default'],
    ['size-misstated', 'mp4', 'default'],
  ] as const)('%s as %s is exactly the file that the platform has', async (name, option, variant) => {
    const bytes = await bytesOf(await journey.get(await journey.href(name, option)));
    expect(digest(bytes)).toBe(digest(originalVideo(name, variant)));
  });

  test('is counted while it is sent, for the page that started it', async () => {
    const large = await journey.href('ten-minutes', 'mp4');
    const [sent, left] = ['0', '1'].map((digit) => digit.repeat(32));
    expect(await arrivalOf(journey, href, sent)).toEqual({ state: 'unknown', bytes: 0 });
    expect(await arrivalOf(journey, href, 'no name')).toEqual({ state: 'unknown', bytes: 0 });
    await bytesOf(await journey.get(`${href}?press=${sent}`));
    await until('it is sent', async () => (await arrivalOf(journey, href, sent)).state === 'sent');
    expect((await arrivalOf(journey, href, sent)).bytes).toBe(whole.length);
    const going = await journey.get(`${large}?press=${left}`);
    await until('some of it is sent', async () => (await arrivalOf(journey, large, left)).bytes > 1000);
    expect((await arrivalOf(journey, large, left)).state).toBe('sending');
    await going.body?.cancel();
    await until('it broke off', async () => (await arrivalOf(journey, large, left)).state === 'broken');
  });

  test('that is fetched in parts is sent when all of them were, and not by an error or one part twice', async () => {
    const press = '2'.repeat(32);
    const half = Math.floor(whole.length / 2);
    const fetchPart = async (range: string, path = href) => {
      const { status } = await journey
        .get(`${path}?press=${press}`, { headers: { range } })
        .then(async (part) => {
          await bytesOf(part);
          return part;
        });
      const arrivals: unknown[] = [];
      await until('it has ended', async () => {
        const found = await arrivalOf(journey, href, press);
        arrivals.push(found);
        return found.state !== 'sending';
      });
      return [status, arrivals.at(-1)];
    };
    const first = { state: 'broken', bytes: half };
    expect(await fetchPart(`bytes=0-${half - 1}`)).toEqual([206, first]);
    expect(await fetchPart(`bytes=0-${half - 1}`)).toEqual([206, first]);
    expect(await fetchPart('bytes=99999999-')).toEqual([416, first]);
    expect(await fetchPart('bytes=0-', await journey.href('media-gone', 'mp4'))).toEqual([502, first]);
    expect(await fetchPart(`bytes=${half - 10}-`)).toEqual([206, { state: 'sent', bytes: whole.length }]);
    expect(await fetchPart('bytes=99999999-')).toEqual([416, { state: 'sent', bytes: whole.length }]);
  });

  test('is never held as a whole: 120 MB for a slow reader and for a fast one cost little memory', async () => {
    const large = await journey.href('ten-minutes', 'mp4');
    const before = memoryMb(journey.product.pid);
    const slow = await journey.get(large);
    const fast = await journey.get(large);
    let most = 0;
    let bytes = 0;
    for await (const chunk of fast.body ?? []) {
      bytes += chunk.length;
      if (bytes % 64 === 0) most = Math.max(most, memoryMb(journey.product.pid));
    }
    most = Math.max(most, memoryMb(journey.product.pid));
    expect(bytes).toBe(Number(fast.headers.get('content-length')));
    expect(most - before).toBeLessThan(60);
    await slow.body?.cancel();
  });

  test('a name beyond ASCII is encoded in both ways of RFC 6266', async () => {
    const id = /\d+$/.exec(journey.platform.link('unicode-handle'))?.[0];
    const response = await journey.get(await journey.href(`https://www.tiktok.com/@x/video/${id}`, 'mp4'));
    await response.body?.cancel();
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename=f_hre.__-${id}.mp4; filename*=UTF-8''f%C3%A4hre.%E6%9D%B1%E4%BA%AC-${id}.mp4`,
    );
  });

  test('arrives whole, under its name and with its length', async () => {
    const response = await journey.get(href);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename=ferry.captain-7615133378163811813.mp4',
    );
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    const bytes = await bytesOf(response);
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
  });

  test('HEAD gives the same headers and no body', async () => {
    const response = await journey.get(href, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBe(whole.length);
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('content-disposition')).toContain('.mp4');
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test('HEAD with a range returns the head of that part', async () => {
    const response = await journey.get(href, { method: 'HEAD', headers: { range: 'bytes=10-19' } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`);
    expect(response.headers.get('content-length')).toBe('10');
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=1000-1999', 1000, 2000],
    ['bytes=-500', -500, undefined],
    ['bytes=1400000-', 1_400_000, undefined],
  ])('answers %s with that part', async (range, start, end) => {
    const response = await journey.get(href, { headers: { range } });
    expect(response.status).toBe(206);
    expect(digest(await bytesOf(response))).toBe(digest(whole.subarray(start, end)));
    expect(response.headers.get('content-range')).toMatch(new RegExp(`^bytes \\d+-\\d+/${whole.length}$`));
  });

  test('refuses a part beyond the end with the size', async () => {
    const response = await journey.get(href, { headers: { range: 'bytes=99999999-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  test('If-Range matches this file only', async () => {
    const range = 'bytes=0-9';
    expect((await journey.get(href, { headers: { range, 'if-range': etag } })).status).toBe(206);
    // Another file, a weak validator and a date (we send none) all give the whole file.
    for (const validator of ['"another"', `W/${etag}`, 'Sun, 01 Jun 2025 00:00:00 GMT']) {
      const other = await journey.get(href, { headers: { range, 'if-range': validator } });
      expect(other.status).toBe(200);
      expect(digest(await bytesOf(other))).toBe(digest(whole));
    }
  });

  test('answers several ranges at once, and invalid ranges, with the whole file', async () => {
    for (const range of ['bytes=0-1,5-6', 'bytes=9-2', 'lines=1-2']) {
      const response = await journey.get(href, { headers: { range } });
      expect(response.status).toBe(200);
      expect(await bytesOf(response)).toHaveLength(whole.length);
    }
  });

  test('HD is another file under another name', async () => {
    const response = await journey.get(await journey.href('ordinary', 'mp4-hd'));
    expect(response.headers.get('content-disposition')).toContain('-hd.mp4');
    expect(digest(await bytesOf(response))).not.toBe(digest(whole));
  });

  test('a changed or invalid link returns nothing', async () => {
    for (const wrong of [
      href.replace('.mp4.', '.mp3.'),
      `${href}x`,
      '/api/files/x',
      href.replace(/.$/, ''),
    ]) {
      const response = await journey.get(wrong);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 404, error: { key: 'ticket_invalid' } });
    }
  });

  test('a browser without scripts gets a page that says why, in its language', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'tr' };
    const response = await journey.get(`${href}x`, { headers });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain('lang="tr"');
  });

  test('an expired link says so', async () => {
    const past = createTickets({ secret: Buffer.from(secret), now: () => Date.now() - 7 * 3_600_000 });
    const ticket = past.sign({ kind: 'video', post: postOf(journey, 'ordinary'), variant: 'default' });
    const response = await journey.get(`/api/files/${ticket}`);
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({ error: { key: 'ticket_expired' } });
  });

  test('any instance with the same key serves the link, side by side and after a restart; no other does', {
    skip: !isAudit,
  }, async () => {
    const env = { SECRET_KEY: secret };
    const first = await startJourney({ platform: journey.platform, env });
    const links = await Promise.all(['mp4', 'mp3', 'm4a'].map((option) => first.href('only-576', option)));
    const second = await startJourney({ platform: journey.platform, env });
    const served = (from: Journey) =>
      Promise.all(links.map(async (link) => digest(await bytesOf(await from.get(link)))));
    const files = await served(first);
    expect(await served(second)).toEqual(files);
    await first.stop();
    expect(await served(second)).toEqual(files);
    await second.stop();
    const other = await sharedJourney();
    for (const link of links) expect((await other.get(link)).status).toBe(404);
  });
});

describe('the availability of a file', () => {
  const ready = async (href: string) => (await journey.get(`${href}/ready`)).json();

  test.each([
    ['only-480', 'mp4'],
    ['long-60s-hd', 'mp4-hd'],
    ['photos-35', 'jpg-3'],
    ['photos-35', 'zip'],
    ['only-480', 'mp3'],
  ])('%s as %s: returns the name for the download', async (post, option) => {
    const href = await journey.href(post, option);
    const { name } = readyResponse.parse(await ready(href)).result;
    const { headers } = await journey.get(href, { method: 'HEAD' });
    expect(headers.get('content-disposition')?.split(/filename\*?=|[";]/)).toContain(name);
  });

  test('costs a few bytes at the platform, whatever the size', async () => {
    const hrefs = [await journey.href('long-60s', 'mp4'), await journey.href('photos-m4a', 'zip')];
    await journey.platform.reset();
    for (const href of hrefs) await ready(href);
    const { byPost } = await journey.platform.stats();
    expect([byPost['long-60s'], byPost['photos-m4a']]).toMatchObject([
      { requests: 1, bytesSent: 12 },
      { requests: 1, bytesSent: 12 },
    ]);
  });

  test('a sound that is ready is made once, and stays for later requests', { skip: !isAudit }, async () => {
    // A separate product: a sound counts as made when it is stored, which may be after the requesting test.
    const own = await startJourney({ platform: journey.platform });
    const href = await own.href('no-h265', 'mp3');
    const made = () => own.product.metric('clipferry_conversions_ended_total', { outcome: 'done' });
    expect((await own.get(`${href}/ready`)).status).toBe(200);
    await bytesOf(await own.get(href));
    await until('the sound is made', async () => (await made()) > 0);
    expect(await made()).toBe(1);
    await own.stop();
  });
});

test('no ticket appears in the log, whichever way it is requested', async () => {
  const hrefs = [await journey.href('ordinary', 'mp4'), await journey.href('very-short', 'mp3')];
  const { answer } = await journey.resolve('ordinary');
  const cover = 'result' in answer ? String(answer.result.post.cover_url) : '';
  const tickets = [...hrefs, cover].map((href) => href.slice(href.lastIndexOf('/') + 1));
  const [video = '', sound = ''] = hrefs;
  for (const path of [
    video,
    sound,
    cover,
    `${sound}/status`,
    `${video.slice(0, -1)}x`,
    `${video}/further`,
    `/de${video}`,
    video.replace('/api', '/%61pi'),
    video.replace('files', 'pictures'),
  ]) {
    const response = await journey.get(path, { headers: { accept: 'text/html' } });
    await response.arrayBuffer();
    const id = response.headers.get('x-request-id');
    await expect.poll(() => journey.product.log().some(({ reqId }) => reqId === id)).toBe(true);
  }
  const log = JSON.stringify(journey.product.log());
  for (const ticket of tickets) expect(log).not.toContain(ticket.slice(0, -1));
  expect(journey.product.log()).toContainEqual(
    expect.objectContaining({ path: '/api/files/:ticket', work: 'video', status: 200 }),
  );
});
