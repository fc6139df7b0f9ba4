import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.stop());

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

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

  test('comes whole, under its name and with its length', async () => {
    const response = await journey.get(href);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="ferry.captain-7615133378163811813.mp4"',
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
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=1000-1999', 1000, 2000],
    ['bytes=-500', -500, undefined],
    ['bytes=1400000-', 1_400_000, undefined],
  ])('%s is answered with that part', async (range, start, end) => {
    const response = await journey.get(href, { headers: { range } });
    expect(response.status).toBe(206);
    expect(digest(await bytesOf(response))).toBe(digest(whole.subarray(start, end)));
    expect(response.headers.get('content-range')).toMatch(new RegExp(`^bytes \\d+-\\d+/${whole.length}$`));
  });

  test('a part beyond the end is refused with the size', async () => {
    const response = await journey.get(href, { headers: { range: 'bytes=99999999-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  test('If-Range holds for this file only', async () => {
    const range = 'bytes=0-9';
    expect((await journey.get(href, { headers: { range, 'if-range': etag } })).status).toBe(206);
    const other = await journey.get(href, { headers: { range, 'if-range': '"another"' } });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  test('HD is another file under another name', async () => {
    const response = await journey.get(await journey.href('ordinary', 'mp4-hd'));
    expect(response.headers.get('content-disposition')).toContain('-hd.mp4');
    expect(digest(await bytesOf(response))).not.toBe(digest(whole));
  });

  test('a link that was changed, or is none, gives nothing', async () => {
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

  test('any instance with the same key serves the link, also after a restart', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-data-'));
    const env = { SECRET_KEY: 'the same on all instances, and long enough' };
    const first = await startJourney({ platform: journey.platform, env });
    const link = await first.href('only-576', 'mp4');
    await first.stop();
    const second = await startJourney({ platform: journey.platform, env, dataFolder });
    expect((await second.get(link)).status).toBe(200);
    await second.stop();
    rmSync(dataFolder, { recursive: true });
  });
});

describe('pictures', () => {
  test('a slideshow gives each picture as JPEG', async () => {
    for (const number of [1, 2, 3, 4]) {
      const response = await journey.get(await journey.href('photos', `jpg-${number}`));
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect((await bytesOf(response)).subarray(0, 3).toString('hex')).toBe('ffd8ff');
    }
  });

  test('all of them come as a zip, in their order', async () => {
    const response = await journey.get(await journey.href('photos', 'zip'));
    expect(response.headers.get('content-type')).toBe('application/zip');
    const bytes = await bytesOf(response);
    // Names in the central directory (APPNOTE 4.3.12).
    const names: string[] = [];
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
      names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
    expect(names.map((name) => name.slice(-6))).toEqual(['01.jpg', '02.jpg', '03.jpg', '04.jpg']);
  });

  test('covers and previews come small, from here, and may be cached', async () => {
    const { answer } = await journey.resolve('photos');
    if (!('result' in answer)) throw new Error('not resolved');
    const addresses = [answer.result.post.cover_url, answer.result.options[0]?.preview_url];
    for (const address of addresses) {
      const response = await journey.get(address ?? '');
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(response.headers.get('cache-control')).toContain('public');
    }
  });

  test('pictures that the first host refuses come from the second', async () => {
    expect((await journey.get(await journey.href('photos-first-host-refuses', 'jpg-1'))).status).toBe(200);
  });
});
