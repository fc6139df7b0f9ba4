import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { ErrorResponse } from '../../src/site/api.ts';
import { originalPicture, originalVideo } from '../support/clips.ts';
import type { Journey } from '../support/journey.ts';
import { rawRequest } from '../support/raw-request.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { readZip } from '../support/zip.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const ticket = async (name: string, option: string) =>
  (await journey.href(name, option)).replace('/api/files/', '');
const zipOf = async (files: readonly (readonly [name: string, option: string])[]) => {
  const tickets: string[] = [];
  for (const [name, option] of files) tickets.push(await ticket(name, option));
  return `/api/files/zip?${tickets.map((one) => `file=${one}`).join('&')}`;
};
const idOf = (name: string) => /\d+$/.exec(journey.platform.link(name))?.[0] ?? '';
const unzipped = async (response: Response) => readZip(Buffer.from(await response.arrayBuffer()));

test('several videos come as one zip of a known length, which names unavailable ones', async () => {
  const names = ['ordinary', 'early-close-once', 'all-hosts-refuse', 'no-h265', 'ordinary'];
  const href = await zipOf(names.map((name) => [name, 'mp4'] as const));
  const ready = await journey.get(href.replace('/zip?', '/zip/ready?'));
  expect(await ready.json()).toEqual({ code: 200, result: { name: 'clipferry.example-4.zip' } });
  const response = await journey.get(`${href}&locale=de`);
  expect(response.headers.get('content-disposition')).toContain('filename=clipferry.example-4.zip');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBe(Number(response.headers.get('content-length')));
  const files = readZip(bytes);
  const there = ['ordinary', 'early-close-once', 'no-h265'];
  expect(files.map(({ name }) => name)).toEqual([
    ...there.map((name) => `ferry.captain-${idOf(name)}.mp4`),
    'missing.txt',
  ]);
  for (const [at, name] of there.entries())
    expect(digest(files[at]?.bytes ?? Buffer.of())).toBe(digest(originalVideo(name)));
  const note = String(files.at(-1)?.bytes);
  expect(note).toContain('Diese Beiträge fehlen in der ZIP-Datei:');
  expect(note).toContain(`https://www.tiktok.com/@ferry.captain/video/${idOf('all-hosts-refuse')}\n`);
});

test('sends the platform four requests at a time for one visitor’s results', async () => {
  await journey.platform.reset();
  await journey.platform.configure({ latencyMs: 100 });
  const names = [
    'dash-hd',
    'dash-hd-60s',
    'dash-hd-h264',
    'dash-hd-moov-last',
    'dash-hd-edited',
    'photos-m4a',
  ];
  const covers = names.map(async (name) => {
    const { answer } = await journey.resolve(name);
    const cover = 'result' in answer ? answer.result.post.cover_url : null;
    return cover === null ? 0 : (await journey.get(cover)).status;
  });
  expect(await Promise.all(covers)).toEqual(names.map(() => 200));
  const { transfers, requests } = await journey.platform.stats();
  await journey.platform.reset();
  // A page and a cover for each post, and the heads of sounds.
  expect(requests).toBeGreaterThan(2 * names.length);
  expect(transfers.most).toBeLessThanOrEqual(4);
});

test('converts sounds for it one after the other, and includes pictures of slideshows', async () => {
  const sounds = [
    ['ordinary', 'mp3'],
    ['photos', 'mp3'],
  ] as const;
  const response = await journey.get(await zipOf(sounds));
  expect(response.headers.get('content-length')).toBeNull();
  const alone = sounds.map(async ([name, option]) => {
    const file = await journey.get(await journey.href(name, option));
    return digest(Buffer.from(await file.arrayBuffer()));
  });
  expect((await unzipped(response)).map(({ bytes }) => digest(bytes))).toEqual(await Promise.all(alone));

  const mixed = await zipOf([
    ['photos-unlisted', 'zip'],
    ['ordinary', 'mp4'],
  ]);
  const files = await unzipped(await journey.get(mixed));
  expect(files.map(({ name }) => name.replace(/^ferry\.captain-\d+/, ''))).toEqual([
    '-01.jpg',
    '-03.jpg',
    '-04.jpg',
    '.mp4',
    'missing.txt',
  ]);
  expect(digest(files[0]?.bytes ?? Buffer.of())).toBe(digest(originalPicture('photos-unlisted', 1)));
});

test('a video that breaks off permanently breaks the zip off: a wrong file has no clean end', async () => {
  for (const first of ['early-close-always', 'photos-one'] as const) {
    const option = first === 'photos-one' ? 'zip' : 'mp4';
    const files = [
      [first, option],
      ['early-close-always', 'mp4'],
      ['ordinary', 'mp4'],
    ] as const;
    const response = await journey.get(await zipOf(files));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  }
});

test('nothing to pack is an error and no zip, for programs and on a page, and so is an invalid ticket', async () => {
  const lost = await zipOf([
    ['all-hosts-refuse', 'mp4'],
    ['media-gone', 'mp4'],
  ]);
  const keyOf = async (path: string) => ((await (await journey.get(path)).json()) as ErrorResponse).error.key;
  expect(await keyOf(lost)).toBe('media_unavailable');
  expect(await keyOf(lost.replace('/zip?', '/zip/ready?'))).toBe('media_unavailable');
  const page = await journey.get(lost, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');

  const good = await zipOf([['ordinary', 'mp4']]);
  expect(await keyOf(`${good}&file=forged`)).toBe('ticket_invalid');
  expect(await keyOf(`${good}&file=${await ticket('photos', 'jpg-1')}`)).toBe('ticket_invalid');
  expect(await keyOf('/api/files/zip')).toBe('request_invalid');
  const file = good.split('?')[1];
  expect(await keyOf(`/api/files/zip?${Array.from({ length: 21 }, () => file).join('&')}`)).toBe(
    'request_invalid',
  );
});

test('without scripts the form and the address list the posts of a text, with a zip of those that were found', async () => {
  const names = ['ordinary', 'deleted', 'photos-one', 'short-t'];
  const text = `look: ${names.map((name) => journey.platform.link(name)).join(' ')} !`;
  const headers = { host: 'clipferry.example' };
  const form = await rawRequest(journey.product.origin, '/fr/tiktok-video-downloader', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: `url=${encodeURIComponent(text)}`,
  });
  const address = `/fr/tiktok-video-downloader?url=${encodeURIComponent(text)}`;
  const opened = await rawRequest(journey.product.origin, address, { headers });
  for (const { status, body, headers: answered } of [form, opened]) {
    const page = String(body);
    expect([status, answered['cache-control']]).toEqual([200, 'no-store']);
    // The short link leads to a post that already is in the list.
    expect(page.match(/class="list-row"/g)).toHaveLength(names.length - 1);
    expect(page).toContain('Trouvées\u00a0: 2 sur 3');
    expect(page).toContain(
      `?url=${encodeURIComponent(`https://www.tiktok.com/@ferry.captain/video/${idOf('deleted')}`)}`,
    );
    const [, href = ''] = /href="(\/api\/files\/zip\?[^"]+)"/.exec(page) ?? [];
    const files = await unzipped(await journey.get(href.replaceAll('&amp;', '&')));
    expect(files.map(({ name }) => name)).toEqual([
      `ferry.captain-${idOf('ordinary')}.mp4`,
      `ferry.captain-${idOf('photos-one')}-01.jpg`,
    ]);
  }
});

test('a link behind the name of the site redirects to its result, in the visitor’s language', async () => {
  const request = (target: string, headers: Record<string, string> = {}) =>
    rawRequest(journey.product.origin, target, { headers: { host: 'clipferry.example', ...headers } });
  const result = `?url=${encodeURIComponent(`https://www.tiktok.com/@ferry.captain/video/${idOf('ordinary')}`)}`;
  const link = journey.platform.link('ordinary');
  for (const [target, headers, location] of [
    [`/${link}?is_from_webapp=1`, {}, `/${result}`],
    [`/${link.replace('://', ':/')}`, { 'accept-language': 'fr-CA, en;q=0.8' }, `/fr${result}`],
    [
      `/@ferry.captain/video/${idOf('ordinary')}`,
      { cookie: 'lang=ja', 'accept-language': 'fr' },
      `/ja${result}`,
    ],
    [`/de/${link}`, { 'accept-language': 'fr' }, `/de${result}`],
  ] as const) {
    const { status, headers: answered } = await request(target, headers);
    expect([status, answered.location, answered['cache-control']]).toEqual([302, location, 'no-store']);
    expect(answered.vary).toContain('Accept-Language');
  }
  for (const target of ['/@ferry.captain', '/https://evil.example/', '/t/ZSordinar'])
    expect((await request(target)).status).toBe(404);
});
