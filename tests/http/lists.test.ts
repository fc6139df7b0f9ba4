import { beforeAll, expect, test } from 'vitest';
import type { ErrorResponse, ListResponse } from '../../src/site/api.ts';
import type { Journey } from '../support/journey.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

const music = 'https://www.tiktok.com/music/sea-song-7100000000000000001';

async function list(url: string): Promise<ListResponse | ErrorResponse> {
  const response = await fetch(`${journey.product.origin}/api/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  const answer = (await response.json()) as ListResponse | ErrorResponse;
  expect(response.status).toBe(answer.code);
  return answer;
}

async function found(url: string) {
  const answer = await list(url);
  if (!('result' in answer)) throw new Error(answer.error.key);
  return answer.result;
}

test('a sound gives its few posts, and itself as a file', async () => {
  const { kind, title, posts, sound, picture_href: picture } = await found(music);
  expect([kind, posts.length]).toEqual(['sound', 11]);
  expect(posts).toContain(journey.platform.link('ordinary').replace(/^(?!https)/, ''));
  expect(sound?.post.title).toBe(title);
  // Its own cover, not that of a post.
  expect([sound?.post.cover_url, sound?.post.cover_href]).toEqual([picture, picture]);
  expect(sound?.options.map(({ id }) => id)).toContain('mp3');
  const mp3 = sound?.options.find(({ id }) => id === 'mp3');
  const file = await journey.get(mp3?.href ?? '');
  expect(file.status).toBe(200);
  expect(file.headers.get('content-disposition')).toContain('-sound.mp3');
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.toString('latin1', 0, 3)).toBe('ID3');
  expect(bytes.toString('latin1')).toContain(title);
  expect((await journey.get(picture ?? '')).headers.get('content-type')).toBe('image/jpeg');
});

test('a creator and a hashtag give the posts that anyone may see; the answer is cached', async () => {
  const link = 'https://www.tiktok.com/@scout2015';
  const { title, posts, picture_href: picture } = await found(link);
  expect([title, posts]).toEqual([
    'Two Dogs Afloat',
    ['https://www.tiktok.com/@scout2015/video/6718335390845095173'],
  ]);
  const before = (await journey.platform.stats()).byKind.list ?? 0;
  await found('@scout2015');
  expect((await journey.platform.stats()).byKind.list ?? 0).toBe(before);
  const response = await journey.get(picture ?? '');
  expect(response.headers.get('content-disposition')).toContain('filename=scout2015-profile.jpg');
  expect((await found('https://www.tiktok.com/tag/dogs')).posts).toEqual(posts);
});

test.each([
  ['https://www.tiktok.com/@nobody.here', 'link_profile'],
  ['https://www.tiktok.com/@below.deck', 'account_private'],
  ['https://www.tiktok.com/music/x-7100000000000000503', 'platform_failed'],
  ['https://www.tiktok.com/tag/nothing', 'link_hashtag'],
  ['no link', 'link_missing'],
])('%s: %s', async (url, key) => {
  expect(await list(url)).toMatchObject({ error: { key } });
});

test('resolving such a link names its list, also behind a short link, and a page without scripts shows it', async () => {
  const { answer } = await journey.resolve('@scout2015');
  expect(answer).toMatchObject({
    error: { key: 'link_handle', link: 'https://www.tiktok.com/@scout2015' },
  });
  const page = await journey.get(`/?url=${encodeURIComponent('https://www.tiktok.com/@scout2015')}`);
  const html = await page.text();
  expect(html).toContain('Two Dogs Afloat');
  expect(html).toContain('Two dogs on the ferry');
});
