import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { readMedia } from '../../doubles/tiktok/clips/streams.ts';
import { resolveResponse } from '../../src/api/schemas.ts';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

const postOf = async (name: string) =>
  resolveResponse.strict().parse((await journey.resolve(name)).answer).result.post;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const nameOf = (response: Response) => response.headers.get('content-disposition');

test('a post lists its cover, and every encoding with sound, each with a file', async () => {
  const { cover_href: cover = '', versions = [] } = await postOf('ordinary');
  const picture = await journey.get(cover);
  expect(nameOf(picture)).toBe('attachment; filename=ferry.captain-7615133378163811813-cover.jpg');
  expect(digest(await bytesOf(picture))).toBe(digest(readMedia('cover.jpg')));
  expect(await (await journey.get(`${cover}/ready`)).json()).toMatchObject({ code: 200 });

  expect(versions.map(({ codec, width, height, fps }) => [codec, width, height, fps])).toEqual([
    ['h265', 1080, 1920, 30],
    ['h264', 720, 1280, 30],
    ['h264', 576, 1024, 30],
  ]);
  const [hd, standard, small] = versions;
  for (const [href, variant] of [
    [hd?.href, 'hd'],
    [standard?.href, 'default'],
  ] as const)
    expect(digest(await bytesOf(await journey.get(href ?? '')))).toBe(
      digest(originalVideo('ordinary', variant)),
    );
  const smallest = await journey.get(small?.href ?? '');
  expect(nameOf(smallest)).toContain('-576x1024-h264.mp4');
  expect((await bytesOf(smallest)).length).toBe(small?.bytes);
});

test('neither a silent encoding nor a slideshow is a version', async () => {
  expect((await postOf('silent-hd')).versions?.map(({ width }) => width)).toEqual([720, 576]);
  expect((await postOf('silent')).versions).toHaveLength(1);
  expect(await postOf('photos')).not.toHaveProperty('versions');
});

test('captions come as SubRip, WebVTT and text, whoever wrote them', async () => {
  const { captions = [] } = await postOf('captions');
  expect(captions.map(({ language, origin }) => [language, origin])).toEqual([
    ['de-DE', 'author'],
    ['en-US', 'speech'],
    ['pl-PL', 'translation'],
  ]);
  const [own, heard, hostile] = captions.map(({ href }) => href);
  const heardAs = async (as: string) => {
    const response = await journey.get(`${heard}?as=${as}`);
    expect(nameOf(response)).toMatch(new RegExp(`-en-US\\.${as}$`));
    return response.text();
  };
  expect(await heardAs('srt')).toBe(
    '1\n00:00:00,120 --> 00:00:01,920\nCast off & hold on\n\n2\n00:00:02,120 --> 00:00:03,920\nit is windy\n',
  );
  expect(await heardAs('vtt')).toContain('\n\n00:00:00.120 --> 00:00:01.920\nCast off &amp; hold on\n');
  expect(await heardAs('txt')).toBe('Cast off & hold on\nit is windy\n');
  expect(await (await journey.get(own ?? '')).text()).toContain('Leinen los');
  expect(await (await journey.get(`${hostile}?as=vtt`)).text()).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n&lt;script&gt;alert(1)&lt;/script&gt;\n\n00:00:01.000 --> 00:00:02.000\nodbijamy → 00:00:09.000\n',
  );
  expect((await journey.get(`${heard}?as=exe`)).status).toBe(400);
});

test('refuses captions that no server returns, with a reason', async () => {
  const { captions: [lost] = [] } = await postOf('captions-lost');
  const response = await journey.get(lost?.href ?? '');
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { key: 'media_unavailable' } });
});

test('the servers of pictures and captions that are away cost a video nothing else', async () => {
  const hosts = ['p16-common-sign', 'p19-common-sign', 'v16m', 'v19m', 'v16m-default'];
  await journey.platform.configure({
    hostFaults: Object.fromEntries(hosts.map((host) => [`${host}.tiktokcdn-us.com`, 'refuse'])),
  });
  // Its own product: another has connections to these servers.
  const own = await startJourney({ platform: journey.platform });
  const { answer } = await own.resolve('captions');
  const { post, options } = resolveResponse.strict().parse(answer).result;
  for (const lost of [post.cover_url, post.cover_href, post.captions?.[0]?.href])
    expect([lost, (await own.get(lost ?? '')).status]).toEqual([lost, 502]);
  for (const { id, href } of options) expect([id, (await own.get(href)).status]).toEqual([id, 200]);
  const mp3 = await own.get(options.find(({ id }) => id === 'mp3')?.href ?? '');
  expect(readMp3(await bytesOf(mp3)).tag).not.toHaveProperty('APIC');
  const [video] = options;
  expect((await own.get(`${video?.href}/preview`)).status).toBe(200);
  await own.stop();
  await journey.platform.reset();
});
