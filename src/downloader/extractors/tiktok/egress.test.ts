import { expect, it } from 'vitest';
import type { TextRequest } from '../../network/contracts.ts';
import { ProxyEgressPool } from '../../network/egress/egress-pool.ts';
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

function withEgresses(pageOf: (request: TextRequest) => { body: string } | { status: number }) {
  const { network, requests } = fakeNetwork({
    [pageUrl]: pageOf,
    [shortUrl]: { status: 301, headers: { location: 'https://www.tiktok.com/@a/video/7301234567890123456' } },
  });
  const egresses = new ProxyEgressPool(
    ['a', 'b', 'c'].map((id) => ({ id, label: id })),
    () => now,
  );
  return { egresses, requests, extractor: createTiktokExtractor({ network, egresses, now: () => now }) };
}

it('sends every request about a post through one egress, which its media addresses name', async () => {
  const { extractor, requests } = withEgresses(() => goodPage);
  const post = await extractor.read(videoReference, never);
  const again = await extractor.read(videoReference, never);
  expect(post.egress).toMatch(/^[abc]$/);
  expect(again.egress).toBe(post.egress);
  expect(new Set(requests.map(({ egress }) => egress))).toEqual(new Set([post.egress]));
  const sources = [post.cover, ...post.videos.map(({ source }) => source)];
  expect(new Set(sources.map((source) => source?.egress))).toEqual(new Set([post.egress]));
});

it('uses the egress that a reference names', async () => {
  for (const egress of ['a', 'b', 'c']) {
    const { extractor, requests } = withEgresses(() => goodPage);
    expect((await extractor.read({ ...videoReference, egress }, never)).egress).toBe(egress);
    expect(requests.every((request) => request.egress === egress)).toBe(true);
  }
});

it('reads the same page through another egress when one is challenged; that egress rests, and its identity does not', async () => {
  const { extractor, requests, egresses } = withEgresses(({ egress }) =>
    egress === 'a' ? { body: challengePage } : goodPage,
  );
  const post = await extractor.read({ ...videoReference, egress: 'a' }, never);
  expect(post.readBy).toBe('page');
  expect(post.egress).not.toBe('a');
  // Both with the same best user agent: a rejected egress does not count against it.
  const agentOf = (egress: string | undefined) =>
    requests.find((request) => request.egress === egress)?.headers?.['user-agent'];
  expect(agentOf(post.egress)).toBe(agentOf('a'));
  expect(
    egresses
      .states()
      .filter(({ restsForMs }) => restsForMs > 0)
      .map(({ id }) => id),
  ).toEqual(['a']);
  expect(extractor.agents().find(({ agent }) => agent === agentOf('a'))?.resting).toBe(false);
  expect(extractor.states().find(({ name }) => name === 'tiktok/page')).toMatchObject({
    successes: 1,
    failures: 0,
  });
});

it('lets a rate-limited egress rest', async () => {
  const { extractor, egresses } = withEgresses(({ egress }) => (egress === 'b' ? { status: 429 } : goodPage));
  expect((await extractor.read({ ...videoReference, egress: 'b' }, never)).egress).not.toBe('b');
  expect(egresses.states()[1]?.restsForMs).toBeGreaterThan(0);
});

it('resolves a short link through one egress too', async () => {
  const { extractor, requests } = withEgresses(() => goodPage);
  await extractor.locate({ platform: 'tiktok', code: 'ZS4VE7DHe' }, never);
  expect(requests.map(({ egress }) => egress)).toEqual([expect.stringMatching(/^[abc]$/)]);
});
