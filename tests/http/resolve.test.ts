import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorResponse, resolveResponse } from '../../src/api/schemas.ts';
import type { ResolveResponse } from '../../src/site/api.ts';
import { sample } from '../support/audit/scope.ts';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { hasFfmpeg } from '../support/probe.ts';

/** Lets another instance serve this one's links. */
const SECRET_KEY = 'the same on all instances, and long enough';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { SECRET_KEY } });
});
afterAll(() => journey.stop());

/** If there is an ffmpeg. */
const video = hasFfmpeg ? ['mp4-slideshow'] : [];

const found: Record<string, readonly string[]> = {
  ordinary: ['mp4', 'mp4-hd', 'mp3', 'm4a'],
  'only-576': ['mp4', 'mp3', 'm4a'],
  'no-h265': ['mp4', 'mp3', 'm4a'],
  'h266-too': ['mp4', 'mp3', 'm4a'],
  silent: ['mp4'],
  'silent-hd': ['mp4', 'mp4-hd', 'mp3', 'm4a'],
  'silent-hd-only': ['mp4', 'mp3', 'm4a'],
  'sound-not-aac': ['mp4'],
  fragmented: ['mp4'],
  'moov-last': ['mp4', 'mp3', 'm4a'],
  photos: ['jpg-1', 'jpg-2', 'jpg-3', 'jpg-4', 'zip', ...video, 'mp3'],
  'photos-m4a': ['jpg-1', 'jpg-2', 'jpg-3', 'zip', ...video, 'mp3', 'm4a'],
  'photos-no-sound': ['jpg-1', 'jpg-2', 'zip', ...video],
  'saving-off': ['mp4', 'mp4-hd', 'mp3', 'm4a'],
  'short-vm': ['mp4', 'mp4-hd', 'mp3', 'm4a'],
  'short-t': ['mp4', 'mp4-hd', 'mp3', 'm4a'],
};

test.each(Object.entries(found))('%s is found and offers %j', async (name, ids) => {
  const { status, answer } = await journey.resolve(name);
  expect(status).toBe(200);
  const { result } = resolveResponse.parse(answer);
  expect(result.options.map((option) => option.id)).toEqual(ids);
});

/** Those that pass through more than the reading of one response; the unit tests read the others' responses. */
const odd = sample(
  [
    'missing-author',
    'age-gate-of-the-page',
    'missing-music',
    'missing-music-url',
    'address-list',
    'no-text',
    'unicode-title',
    'rtl-title',
    'long-text',
    'dotted-handle',
    'size-misstated',
    'silent-hvc1-trap',
    'landscape',
    'photos-35',
    'short-photo',
    'short-hyphen',
    'age-gate-with-media',
  ],
  (name) => ['missing-author', 'rtl-title', 'photos-35', 'short-photo', 'age-gate-with-media'].includes(name),
);

test.each(odd)('finds %s', async (name) => {
  const { answer } = await journey.resolve(name);
  expect(resolveResponse.safeParse(answer).error).toBeUndefined();
});

const refused: Record<string, readonly [number, string]> = {
  deleted: [404, 'post_gone'],
  'never-existed': [404, 'post_gone'],
  'self-only': [403, 'post_private'],
  'friends-only': [403, 'post_friends_only'],
  'private-post': [403, 'post_private'],
  'friends-only-on-phones': [403, 'post_friends_only'],
  'captcha-code-nothing': [502, 'platform_blocked'],
  'server-panic-nothing': [502, 'platform_failed'],
  'private-account': [403, 'account_private'],
  'region-fenced': [451, 'post_region_blocked'],
  'region-crossing': [451, 'post_region_blocked'],
  'region-copyright': [451, 'post_region_blocked'],
  'region-10231': [451, 'post_region_blocked'],
  'in-review': [403, 'post_in_review'],
  'low-age': [403, 'post_age_restricted'],
  'age-gate': [403, 'post_age_restricted'],
  'login-code': [403, 'post_login_required'],
  'author-banned': [404, 'post_gone'],
  'music-unshelved': [451, 'post_taken_down'],
};

/** One of each reason; the audit tries every form that it takes at the platform. */
const reasons = sample(
  Object.entries(refused),
  ([name, [, key]]) => Object.entries(refused).find(([, [, other]]) => other === key)?.[0] === name,
);

test.each(reasons)('refuses %s with its own reason', async (name, [code, key]) => {
  const { status, answer } = await journey.resolve(name);
  expect(status).toBe(code);
  expect(errorResponse.parse(answer)).toMatchObject({ code, error: { key } });
});

test.each([
  ['', 400, 'link_missing'],
  ['hello there', 400, 'link_missing'],
  ['https://example.com/@a/video/7615133378163811813', 422, 'link_invalid'],
  ['https://www.tiktok.com.evil.example/@a/video/7615133378163811813', 422, 'link_invalid'],
  ['http://127.0.0.1/', 422, 'link_invalid'],
  ['https://www.tiktok.com/@ferry.captain', 422, 'link_profile'],
  ['https://www.tiktok.com/@ferry.captain/live', 422, 'link_live'],
  ['https://www.tiktok.com/music/a-song-7615133378163811813', 422, 'link_sound'],
  ['https://www.tiktok.com/tag/sea', 422, 'link_hashtag'],
  ['https://www.tiktok.com/tag/море', 422, 'link_hashtag'],
  ['https://www.tiktok.com/@ferry.captain/reposts', 422, 'link_profile_list'],
  ['https://www.tiktok.com/@ferry.captain/stories', 422, 'link_stories'],
  ['https://www.tiktok.com/explore', 422, 'link_search'],
  ['https://www.tiktok.com/place/Sea-22535796485544119', 422, 'link_place'],
  ['https://www.tiktok.com/login', 422, 'link_login'],
  ['Download TikTok Lite: https://www.tiktok.com/tiktoklite', 422, 'link_lite'],
  ['https://v.douyin.com/iABCdef/', 422, 'link_douyin'],
  ['@ferry.captain', 400, 'link_handle'],
])('answers %j with %i %s', async (text, code, key) => {
  const { status, answer } = await journey.resolve(text);
  expect(status).toBe(code);
  expect(answer).toMatchObject({ code, error: { key } });
});

test('finds a post by every form of its address', async () => {
  const id = /\d+$/.exec(journey.platform.link('ordinary'))?.[0] ?? '';
  const forms = [
    id,
    `https://www.tiktok.com/@ferry.captain/story/${id}?_t=8ab&_r=1`,
    `https://www.tiktok.com/video/${id}`,
    `https://www.tiktok.com/foryou?is_copy_url=1&is_from_webapp=v1&item_id=${id}`,
    `https://www.tiktok.com/@ferry.captain/video/is_copy_url=1&is_from_webapp=v1&item_id=${id}`,
    `https://www.tiktokv.com/redirect/?redirect_url=snssdk1180%3A%2F%2Faweme%2Fdetail%2F${id}`,
    `https%3A%2F%2Fwww.tiktok.com%2F%40ferry.captain%2Fvideo%2F${id}%3Flang%3Den`,
  ];
  for (const form of forms) {
    const { answer } = await journey.resolve(form);
    expect([form, 'result' in answer && answer.result.post.id]).toEqual([form, id]);
  }
});

test('an address of another site is answered with what works here instead', async () => {
  const { answer } = await journey.resolve('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
  const { error } = errorResponse.parse(answer);
  expect(error.key).toBe('link_invalid');
  expect(error.message).toMatch(/^Please enter a valid video URL/);
  expect(error.hint).toMatch(/YouTube/);
});

test('the response mentions a second post in the text', async () => {
  const [one, two] = [journey.platform.link('ordinary'), journey.platform.link('only-576')];
  const { answer } = await journey.resolve(`${one} ${two}`);
  const { result } = resolveResponse.parse(answer);
  expect([result.post.id, result.other_link]).toEqual([
    /\d+$/.exec(one)?.[0],
    `https://www.tiktok.com/@ferry.captain/video/${/\d+$/.exec(two)?.[0]}`,
  ]);
  expect(resolveResponse.parse((await journey.resolve(one)).answer).result.other_link).toBeUndefined();
});

test('leaves out an unknown size', async () => {
  const { answer } = await journey.resolve('no-size');
  const { options } = resolveResponse.parse(answer).result;
  expect(options.map(({ label, width, height }) => [label, width, height])).toEqual([
    ['MP4 H.264', null, null],
    ['MP3 128 kbps', null, null],
    ['M4A', null, null],
  ]);
});

test('fetches a file from any host of the platform', async () => {
  const response = await journey.get(await journey.href('other-hosts', 'mp4'));
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(500_000);
});

test("finds a link in the text of the app's share sheet", async () => {
  const link = `${journey.platform.link('ordinary')}?_r=1&_t=ZS-8xyz`;
  const { status } = await journey.resolve(`Check this out! ${link}. #fyp`);
  expect(status).toBe(200);
});

test.each([
  [{ 'accept-language': 'tr-TR,tr;q=0.9' }, /[çğışöü]/i],
  [{ 'accept-language': 'ar' }, /[\u0600-\u06ff]/],
  [{ 'accept-language': 'xx' }, /^Please/],
])('messages are in the language of %j', async (headers, expected) => {
  const { answer } = await journey.resolve('', headers);
  expect('error' in answer && answer.error.message).toMatch(expected);
});

test('?locale= takes precedence over Accept-Language, except for an unknown language', async () => {
  const messageOf = async (query: string, language: string) => {
    const response = await journey.get(`/api/resolve${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: '{"url":""}',
    });
    expect(response.headers.get('vary')).toContain('Accept-Language');
    return errorResponse.parse(await response.json()).error.message;
  };
  expect(await messageOf('?locale=ar', 'tr')).toMatch(/[\u0600-\u06ff]/);
  expect(await messageOf('?locale=tr', 'ar')).toMatch(/[çğışöü]/i);
  expect(await messageOf('?locale=en', 'ar')).toMatch(/^Please/);
  expect(await messageOf('?locale=xx', 'ar')).toMatch(/[\u0600-\u06ff]/);
  expect(await messageOf('?locale=tr&locale=ar', 'en')).toMatch(/^Please/);
});

test.each([
  ['no JSON', 'not json', 'application/json', 400],
  ['another type', '"text"', 'application/json', 400],
  ['a wrong field', '{"link":"x"}', 'application/json', 400],
  ['a number', '{"url":7}', 'application/json', 400],
  ['another content type', 'url=x', 'text/plain', 415],
  ['too much', JSON.stringify({ url: 'x'.repeat(20_000) }), 'application/json', 413],
])('refuses %s with a clear error', async (_, body, type, status) => {
  const response = await journey.get('/api/resolve', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  expect(response.status).toBe(status);
  const text = await response.text();
  expect(errorResponse.safeParse(JSON.parse(text)).error).toBeUndefined();
  expect(text).not.toMatch(/\\n +at |\.ts:/);
});

test('answers too many requests with 429 and a waiting time, and a new visitor normally', async () => {
  const other = await startJourney({
    platform: journey.platform,
    env: { RESOLVES_PER_MINUTE: '2', FILES_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.0/8, ::1' },
  });
  const resolveFrom = (address: string) =>
    other.get('/api/resolve', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ url: other.platform.link('ordinary') }),
    });
  expect((await resolveFrom('203.0.113.7')).status).toBe(200);
  const { result } = (await (await resolveFrom('203.0.113.7')).json()) as ResolveResponse;
  const refused = await resolveFrom('203.0.113.7');
  expect(refused.status).toBe(429);
  const waitS = Number(refused.headers.get('retry-after'));
  expect(waitS).toBeGreaterThan(0);
  expect(waitS).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({
    code: 429,
    error: { key: 'rate_limited', retry_after_s: waitS },
  });
  expect((await resolveFrom('203.0.113.8')).status).toBe(200);

  const href = result.options[0]?.href ?? '';
  const file = (address: string) =>
    other.get(href, { method: 'HEAD', headers: { 'x-forwarded-for': address } });
  expect((await file('203.0.113.7')).status).toBe(200);
  const held = await file('203.0.113.7');
  expect(held.status).toBe(429);
  expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0);

  // Sixteen of one address block are admitted together (8 x 2), and no more; two have made requests already, one of
  // them three.
  const statuses: number[] = [];
  for (let n = 20; n < 40; n++) statuses.push((await resolveFrom(`203.0.113.${n}`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(13);
  expect((await resolveFrom('203.0.114.1')).status).toBe(200);
  await other.stop();
});

test("trusts the visitor's address only from a known proxy", async () => {
  const other = await startJourney({
    platform: journey.platform,
    env: { RESOLVES_PER_MINUTE: '1', TRUST_PROXY: '192.0.2.1' },
  });
  const resolveFrom = async (address: string) =>
    (await other.resolve('ordinary', { 'x-forwarded-for': address, forwarded: `for=${address}` })).status;
  expect(await resolveFrom('203.0.113.7')).toBe(200);
  expect(await resolveFrom('203.0.113.8')).toBe(429);
  await other.stop();
});

test('answers a platform with too many requests with 503 and a waiting time', async () => {
  const response = await journey.get('/api/resolve', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: journey.platform.link('throttled-everywhere') }),
  });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('30');
  expect(await response.json()).toMatchObject({ error: { key: 'platform_throttled', retry_after_s: 30 } });
});

test('HD is the next file when the largest one has no sound', async () => {
  const href = await journey.href('silent-hd', 'mp4-hd');
  const bytes = Buffer.from(await (await journey.get(href)).arrayBuffer());
  expect(bytes.equals(originalVideo('silent-hd', 'hd'))).toBe(true);
});

test("an operator can respect the author's wish, also for earlier links", async () => {
  const options = ['mp4', 'mp4-hd', 'mp3', 'm4a'];
  const hrefs = await Promise.all(options.map((option) => journey.href('saving-off', option)));
  const hd = await journey.href('silent-hd', 'mp4-hd');
  const other = await startJourney({
    platform: journey.platform,
    env: { SECRET_KEY, HONOUR_DOWNLOAD_SETTING: '1' },
  });
  expect(await other.resolve('saving-off')).toMatchObject({
    status: 403,
    answer: { error: { key: 'post_saving_off' } },
  });
  for (const href of hrefs) {
    const response = await other.get(href);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { key: 'post_saving_off' } });
  }
  expect((await other.resolve('ordinary')).status).toBe(200);
  // Where the page does not say, what the other strategies read is not offered.
  const gate = (gate: 'shell' | 'data') =>
    journey.platform.configure({ gate: { desktop: gate, phone: gate, honest: gate } });
  await gate('shell');
  expect(await other.resolve('captions')).toMatchObject({
    status: 502,
    answer: { error: { key: 'platform_blocked' } },
  });
  await gate('data');
  expect(await (await other.get('/legal-disclaimer')).text()).toContain('this site offers no file of it');
  expect(await (await journey.get('/legal-disclaimer')).text()).toContain('you can still save the post here');
  // An instance that has not inspected the post yet returns the same file for its link.
  const bytes = Buffer.from(await (await other.get(hd)).arrayBuffer());
  expect(bytes.equals(originalVideo('silent-hd', 'hd'))).toBe(true);
  await other.stop();
});

test('inspects the files once when sixty visitors request a new post at once', async () => {
  await journey.platform.reset();
  await Promise.all(Array.from({ length: 60 }, () => journey.resolve('long-60s-hd')));
  const { byKind } = (await journey.platform.stats()).byPost['long-60s-hd'] ?? {};
  expect(byKind).toMatchObject({ page: 1, video: 1 });
});

test('a post that only the small answers show is thin, until it is read again as a whole', async () => {
  const { platform } = journey;
  const ask = async (again?: true) => {
    const response = await journey.get('/api/resolve', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: platform.link('captions'), again }),
    });
    const { post, options } = resolveResponse.parse(await response.json()).result;
    const ids = options.map(({ id }) => id);
    return { thin: post.thin, captions: post.captions?.length, stats: post.stats, ids };
  };
  const thin = { thin: true, captions: undefined, stats: undefined, ids: ['mp4', 'mp3', 'm4a'] };
  await platform.configure({ gate: { desktop: 'shell', phone: 'shell', honest: 'shell' } });
  expect(await ask()).toEqual(thin);
  await platform.configure({ gate: { desktop: 'data', phone: 'data', honest: 'data' } });
  expect(await ask()).toEqual(thin);
  const stats = { plays: 12_300, likes: 1234 };
  const full = { thin: undefined, captions: 3, stats, ids: ['mp4', 'mp4-hd', 'mp3', 'm4a'] };
  expect(await ask(true)).toEqual(full);
  expect(await ask()).toEqual(full);
  const metrics = await (await journey.get('/metrics')).text();
  expect(metrics).toMatch(
    /clipferry_resolves_total\{source="read",outcome="thin",strategy="tiktok\/player"\} [1-9]/,
  );
  expect(metrics).toMatch(/clipferry_counted_total\{kind="posts",outcome="failed"\} [1-9]/);
});

test('a thin answer has the captions and the H.265 of the player, where it shows them', async () => {
  const { answer } = await journey.resolve('whole-player');
  const { post, options } = resolveResponse.parse(answer).result;
  const { thin, captions = [], versions = [] } = post;
  expect({ thin, ids: options.map(({ id }) => id), codecs: versions.map(({ codec }) => codec) }).toEqual({
    thin: true,
    ids: ['mp4', 'mp4-hd', 'mp3', 'm4a'],
    codecs: ['h265', 'h264', 'h264'],
  });
  const bytes = async (href = '') => Buffer.from(await (await journey.get(href)).arrayBuffer());
  const hd = await bytes(options.find(({ id }) => id === 'mp4-hd')?.href);
  expect(hd.equals(originalVideo('whole-player', 'hd'))).toBe(true);
  expect(captions).toMatchObject([{ language: 'en-US', origin: 'author' }]);
  expect((await bytes(captions[0]?.href)).toString()).toContain('Cast off & hold on');
});

test('contacts no other host', async () => {
  expect((await journey.platform.stats()).foreign).toEqual({});
});
