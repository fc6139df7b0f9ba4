import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../../../failures/failures.ts';
import type { ListReference } from '../../../post/post.ts';
import { createTiktokExtractor } from '../extractor.ts';
import { challengePage, fakeNetwork, never, now } from '../testing/platform-fake.ts';

const creator: ListReference = { platform: 'tiktok', kind: 'creator', name: 'some.one' };
const sound: ListReference = { platform: 'tiktok', kind: 'sound', name: '7100000000000000001' };
const ids = ['7301234567890123456', '7301234567890123457'] as const;
const picture = 'https://p16-sign.tiktokcdn-us.com/a/b~c.jpeg?x-expires=1799999999&x-signature=s';

const page = (data: unknown, route = '/embed/x') =>
  `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${JSON.stringify({ source: { data: { strategy: { code: 0 }, [route]: data } } })}</script>`;

async function read(list: ListReference, answer: { status?: number; body?: string }) {
  const { network, requests } = fakeNetwork({ 'https://www.tiktok.com/embed/': answer });
  const extractor = createTiktokExtractor({ network, now: () => now });
  try {
    return { list: await extractor.list(list, never), url: requests[0]?.url };
  } catch (thrown) {
    if (thrown instanceof Failure) return { key: thrown.key };
    throw thrown;
  }
}

test('reads a creator: the posts that anyone may see, and the picture', async () => {
  const body = page({
    userInfo: { nickname: 'Some One', avatarThumbUrl: picture, privateAccount: false },
    videoList: [
      { id: ids[0], authorUniqueId: 'some.one' },
      { id: ids[1], privateItem: true },
      { id: 5 },
      null,
    ],
  });
  const { list, url } = await read(creator, { body });
  expect(url).toBe('https://www.tiktok.com/embed/@some.one');
  expect(list).toMatchObject({
    ...creator,
    ...{ url: 'https://www.tiktok.com/@some.one', title: 'Some One', artist: '' },
    posts: [{ id: ids[0], handle: 'some.one' }],
    picture: { urls: [picture] },
  });
});

test('reads a sound with its artist; a picture on an unknown host is left out', async () => {
  const embedInfo = { title: 'Sea Song', artist: 'Ann', coverUrl: 'https://evil.example/a.jpeg' };
  const { list, url } = await read(sound, { body: page({ embedInfo, videoList: [{ id: ids[0] }] }) });
  expect(url).toBe('https://www.tiktok.com/embed/music/7100000000000000001');
  expect(list).toMatchObject({ title: 'Sea Song', artist: 'Ann', picture: null });
});

test.each([
  ['an unknown creator', creator, { body: page({ isError: true, errorStatus: 404 }) }, 'link_profile'],
  ['a creator without posts', creator, { body: page({ userInfo: {}, videoList: [] }) }, 'link_profile'],
  ['a private one', creator, { body: page({ userInfo: { privateAccount: true } }) }, 'account_private'],
  ['a sound without posts', sound, { body: page({ videoList: [] }) }, 'link_sound'],
  ['an unknown sound', sound, { status: 400 }, 'link_sound'],
  ['a busy server', sound, { status: 503, body: 'upstream connect error 503' }, 'platform_failed'],
  ['a challenge', creator, { body: challengePage }, 'platform_blocked'],
  ['a page of another form', creator, { body: page('text') }, 'platform_changed'],
] as const)('%s', async (_, list, answer, key) => {
  expect(await read(list, answer)).toEqual({ key });
});

test('no answer breaks it, or names a post that is none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      const { list, key } = await read(creator, {
        body: page({ videoList: JSON.parse(json), userInfo: JSON.parse(json) }),
      });
      expect(list === undefined ? key : list.posts.every(({ id }) => /^\d+$/.test(id))).toBeTruthy();
    }),
    { numRuns: 50 },
  );
});
