import { expect, it } from 'vitest';
import type { TextRequest } from '../../network/contracts.ts';
import { OutboundWays } from '../../network/ways/ways.ts';
import videoItem from './cases/video-item.json' with { type: 'json' };
import { createTiktokExtractor } from './extractor.ts';
import {
  challengePage,
  fakeNetwork,
  itemPage,
  never,
  now,
  pageUrl,
  videoReference,
} from './testing/platform-fake.ts';

const shortUrl = 'https://vm.tiktok.com/';
const goodPage = {
  body: itemPage(videoItem),
  setCookies: ['tt_chain_token=abc==; Path=/', 'ttwid=1; Path=/'],
};

function withWays(pageOf: (request: TextRequest) => { body: string } | { status: number }) {
  const { network, requests } = fakeNetwork({
    [pageUrl]: pageOf,
    [shortUrl]: { status: 301, headers: { location: 'https://www.tiktok.com/@a/video/7301234567890123456' } },
  });
  const ways = new OutboundWays(
    ['a', 'b', 'c'].map((id) => ({ id, label: id })),
    () => now,
  );
  return { ways, requests, extractor: createTiktokExtractor({ network, ways, now: () => now }) };
}

it('asks everything about a post one way, which its media addresses name', async () => {
  const { extractor, requests } = withWays(() => goodPage);
  const post = await extractor.read(videoReference, never);
  const again = await extractor.read(videoReference, never);
  expect(post.way).toMatch(/^[abc]$/);
  expect(again.way).toBe(post.way);
  expect(new Set(requests.map(({ way }) => way))).toEqual(new Set([post.way]));
  const sources = [post.cover, ...post.videos.map(({ source }) => source)];
  expect(new Set(sources.map((source) => source?.way))).toEqual(new Set([post.way]));
});

it('goes the way that a reference names', async () => {
  for (const way of ['a', 'b', 'c']) {
    const { extractor, requests } = withWays(() => goodPage);
    expect((await extractor.read({ ...videoReference, way }, never)).way).toBe(way);
    expect(requests.every((request) => request.way === way)).toBe(true);
  }
});

it('reads the same page by another way where one is challenged, which then rests; so do none of the user-agents', async () => {
  const { extractor, requests, ways } = withWays(({ way }) =>
    way === 'a' ? { body: challengePage } : goodPage,
  );
  const post = await extractor.read({ ...videoReference, way: 'a' }, never);
  expect(post.readBy).toBe('page');
  expect(post.way).not.toBe('a');
  // Both with the same best user agent: a rejected egress does not count against it.
  const agentOf = (way: string | undefined) =>
    requests.find((request) => request.way === way)?.headers?.['user-agent'];
  expect(agentOf(post.way)).toBe(agentOf('a'));
  expect(
    ways
      .states()
      .filter(({ restsForMs }) => restsForMs > 0)
      .map(({ id }) => id),
  ).toEqual(['a']);
  expect(extractor.agents().some(({ resting }) => resting)).toBe(false);
  expect(extractor.states().find(({ name }) => name === 'tiktok/page')).toMatchObject({
    successes: 1,
    failures: 0,
  });
});

it('lets a way rest that is limited', async () => {
  const { extractor, ways } = withWays(({ way }) => (way === 'b' ? { status: 429 } : goodPage));
  expect((await extractor.read({ ...videoReference, way: 'b' }, never)).way).not.toBe('b');
  expect(ways.states()[1]?.restsForMs).toBeGreaterThan(0);
});

it('asks for a short link by one way too', async () => {
  const { extractor, requests } = withWays(() => goodPage);
  await extractor.locate({ platform: 'tiktok', code: 'ZS4VE7DHe' }, never);
  expect(requests.map(({ way }) => way)).toEqual([expect.stringMatching(/^[abc]$/)]);
});
