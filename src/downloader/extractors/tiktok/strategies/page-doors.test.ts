import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TextRequest } from '../../../network/contracts.ts';
import videoItem from '../cases/video-item.json' with { type: 'json' };
import { failureOf, identities, strategy } from '../testing/page-fixture.ts';
import { challengePage, itemPage, page } from '../testing/platform-fake.ts';

const good = { body: itemPage(videoItem) };
const shell = {
  body: `<script id="__LOADABLE_REQUIRED_CHUNKS__">[]</script>${'x'.repeat(44_000)}`,
  setCookies: ['ttwid=1; Domain=.tiktok.com; Path=/'],
};
const isWarm = (request: TextRequest) => (request.jar?.headerFor(request.url) ?? '').includes('ttwid');
const [chrome] = identities;
const one = chrome === undefined ? [] : [{ ...chrome, http: ['1.1'] as const }];
const agents = (requests: readonly TextRequest[]) => requests.map(({ headers }) => headers?.['user-agent']);

afterEach(() => void vi.useRealTimers());

describe('a cold jar', () => {
  it('that meets a shell is warm at the second request, and from then on', async () => {
    const { read, requests } = strategy((request) => (isWarm(request) ? good : shell), one);
    await read();
    await read();
    expect(requests).toHaveLength(3);
  });

  it('gets the cookies of the home page when those of the shell are not enough', async () => {
    let visits = 0;
    const { read, requests } = strategy(
      () => (visits > 0 ? good : shell),
      one,
      () => {
        visits += 1;
        return { body: page({}), setCookies: shell.setCookies };
      },
    );
    await read();
    const post = '/@i/video/7301234567890123456';
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([post, post, '/', post]);
  });

  it('that only the home page can warm is warm for the next post, when other doors took the requests', async () => {
    let visits = 0;
    const { read } = strategy(
      () => (visits > 0 ? good : shell),
      identities,
      () => {
        visits += 1;
        return { body: page({}), setCookies: shell.setCookies };
      },
    );
    await failureOf(read());
    await vi.waitFor(() => expect(visits).toBe(1), 15_000);
    expect((await read()).readBy).toBe('page');
  });

  it('costs three page requests at most, and one visit of the home page in ten minutes', async () => {
    const { read, requests } = strategy(shell, one, shell);
    await failureOf(read());
    const isHome = ({ url }: TextRequest) => new URL(url).pathname === '/';
    expect([requests.length, requests.filter(isHome).length]).toEqual([4, 1]);
    await failureOf(read());
    expect(requests.filter(isHome)).toHaveLength(1);
  });

  it('gives each post the cookies of its own page, when another one answers before its body has come', async () => {
    let answered = 0;
    const both = Promise.withResolvers<void>();
    const { read } = strategy(async (request) => {
      answered += 1;
      const cookie = `tt_chain_token=${answered}`;
      request.jar?.store(request.url, [`${cookie}; Domain=.tiktok.com; Path=/`]);
      if (answered === 2) both.resolve();
      await both.promise;
      return good;
    }, one);
    const posts = await Promise.all([read(), read()]);
    const cookies = posts.map(({ videos }) => videos[0]?.source.headers.cookie);
    expect(cookies).toEqual(['tt_chain_token=1', 'tt_chain_token=2']);
  });

  it('is thrown away after a challenge', async () => {
    const jars: (string | null | undefined)[] = [];
    const replies = [{ ...good, setCookies: shell.setCookies }, { body: challengePage }, good];
    const { read } = strategy((request) => {
      jars.push(request.jar?.headerFor(request.url));
      return replies[Math.min(jars.length, replies.length) - 1] ?? good;
    }, one);
    await read();
    await failureOf(read());
    await read();
    expect(jars).toEqual([null, 'ttwid=1', null]);
  });
});

describe('a door', () => {
  it.each([
    ['a challenge', { body: challengePage }],
    ['a shell', { body: page({}) }],
    ['a stub without the item', { body: page({ 'webapp.video-detail': { shareMeta: {}, statusCode: 0 } }) }],
    ['the log-in page', { status: 302, headers: { location: 'https://www.tiktok.com/login?x=1' } }],
    ['403', { status: 403 }],
    ['a connection that breaks', { status: 502 }],
  ])('that shows %s is followed by one of another kind', async (_, refusal) => {
    const { read, requests } = strategy(
      ({ headers }) => (/iPhone/.test(headers?.['user-agent'] ?? '') ? good : refusal),
      identities,
    );
    expect((await read()).videos.length).toBeGreaterThan(1);
    expect(requests.length).toBeLessThanOrEqual(3);
    await read();
    expect(agents(requests).at(-1)).toContain('iPhone');
  });

  it('that hangs gets company, and is not the first for the next post', async () => {
    vi.useFakeTimers();
    const { read, requests } = strategy(
      ({ headers, signal }) =>
        /Chrome/.test(headers?.['user-agent'] ?? '')
          ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          : good,
      identities,
    );
    const reading = read();
    await vi.advanceTimersByTimeAsync(1_800);
    expect((await reading).id).toBe('7301234567890123456');
    expect(requests).toHaveLength(2);
    // The one that hung is no longer wanted.
    expect(requests[0]?.signal.aborted).toBe(true);
    await read();
    expect(requests).toHaveLength(3);
  });

  it('keeps one request for another egress where there are several', async () => {
    const { read, requests } = strategy({ body: challengePage }, identities);
    await failureOf(read({ platform: 'tiktok', id: '7301234567890123456', egress: 'a' }));
    expect(requests).toHaveLength(2);
  });

  it('asked for the last time refuses at once on the next egress, and keeps its request from a cold jar', async () => {
    const { read, requests } = strategy(shell, identities, shell);
    const reference = { platform: 'tiktok', id: '7301234567890123456' };
    const budget = { left: 3 };
    await failureOf(read({ ...reference, egress: 'a' }, budget));
    expect(budget.left).toBe(1);
    await failureOf(read({ ...reference, egress: 'b' }, budget));
    expect((await failureOf(read({ ...reference, egress: 'c' }, budget))).message).toContain(
      'no page request',
    );
    expect(requests.filter(({ url }) => url.includes(reference.id))).toHaveLength(3);
  });
});
