import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import { type Extractor, UncertainRefusal } from '../extractors/extractor.ts';
import { tiktokLinks } from '../links/tiktok.ts';
import type { Post, PostReference, ShortLink } from '../post/post.ts';
import { createPostResolver, type PostResolverOptions, type ResolveEvent } from './resolver.ts';

const start = 1_790_000_000_000;
const reference: PostReference = { platform: 'tiktok', id: '7301234567890123456' };
const address = `https://www.tiktok.com/@a/video/${reference.id}`;
const never = new AbortController().signal;

function makePost(parts: Partial<Post> = {}, livesMs = 86_400_000): Post {
  const source = {
    urls: ['https://v16m.tiktokcdn-us.com/x'],
    headers: {},
    get expiresAt() {
      return start + livesMs;
    },
  };
  return {
    ...reference,
    url: address,
    kind: 'video',
    author: { handle: 'a', name: 'A' },
    title: '',
    durationS: 10,
    cover: null,
    createdAt: null,
    videos: [
      {
        codec: 'h264',
        width: 576,
        height: 1024,
        bytes: 1,
        bitrate: 1,
        tracks: 'whole',
        quality: null,
        soundId: null,
        source,
      },
    ],
    separateSounds: [],
    pictures: [],
    sound: null,
    song: null,
    soundMeasured: false,
    savingAllowed: true,
    readBy: 'page',
    ...parts,
  };
}

function setUp(
  options: Partial<PostResolverOptions> & { read?: Extractor['read']; locate?: Extractor['locate'] } = {},
) {
  const events: ResolveEvent[] = [];
  const read = vi.fn<Extractor['read']>(options.read ?? (async () => makePost()));
  const locate = vi.fn<Extractor['locate']>(options.locate ?? (async () => reference));
  const extractor: Extractor = {
    platform: 'tiktok',
    links: tiktokLinks,
    strategies: [],
    read,
    locate,
    tryWhenDue: async () => {},
    states: () => [],
    agents: () => [],
    jars: () => [],
    list: () => Promise.reject(new Failure('link_profile')),
    matrix: async function* () {},
  };
  const resolver = createPostResolver({
    extractors: [extractor],
    honourSavingOff: false,
    now: Date.now,
    // Not 0, where the fake clock begins and where the real one never is.
    monotonicNow: () => 1_000 + performance.now(),
    observer: { resolved: (event) => events.push(event) },
    ...options,
  });
  return { resolver, read, locate, events };
}

async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (thrown: unknown) => (thrown instanceof Failure ? thrown.key : String(thrown)),
  );
}

/** A reading that the test ends by hand. */
function held() {
  const readings: { signal: AbortSignal; finish: (post: Post) => void; fail: (reason: unknown) => void }[] =
    [];
  const read: Extractor['read'] = (_, signal) =>
    new Promise((finish, fail) => {
      readings.push({ signal, finish, fail });
      signal.addEventListener('abort', () => fail(signal.reason));
    });
  return { read, readings };
}

/** Advances the clock to this many milliseconds after the start. */
function advanceTo(ms: number): void {
  vi.advanceTimersByTime(start + ms - Date.now());
}

beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('the cache', () => {
  it('keeps a post for five minutes', async () => {
    const { resolver, read, events } = setUp();
    await resolver.resolveText(`look ${address}`, never);
    advanceTo(299_000);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(1);
    advanceTo(300_001);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(2);
    expect(events.map(({ source, outcome, readBy }) => [source, outcome, readBy])).toEqual([
      ['read', 'ok', 'tiktok/page'],
      ['cache', 'ok', 'tiktok/page'],
      ['read', 'ok', 'tiktok/page'],
    ]);
  });

  it('keeps no post longer than its addresses are valid', async () => {
    const { resolver, read } = setUp({ read: async () => makePost({}, 120_000) });
    await resolver.resolve(reference, never);
    advanceTo(59_000);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(1);
    advanceTo(60_001);
    await resolver.resolve(reference, never);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it.each<[FailureKey, number]>([
    ['post_private', 30_000],
    ['post_gone', 30_000],
    ['platform_blocked', 3_000],
    ['platform_timeout', 3_000],
  ])('keeps %s for %d ms', async (key, ttl) => {
    const { resolver, read } = setUp({ read: () => Promise.reject(new UncertainRefusal(key)) });
    expect(await keyOf(resolver.resolve(reference, never))).toBe(key);
    advanceTo(ttl - 1);
    expect(await keyOf(resolver.resolve(reference, never))).toBe(key);
    expect(read).toHaveBeenCalledTimes(1);
    advanceTo(ttl + 1);
    await keyOf(resolver.resolve(reference, never));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('does not keep our own errors', async () => {
    const { resolver, read } = setUp({ read: () => Promise.reject(new TypeError('x')) });
    expect(await keyOf(resolver.resolve(reference, never))).toBe('internal');
    await keyOf(resolver.resolve(reference, never));
    expect(read).toHaveBeenCalledTimes(2);
  });
});

describe('setting the clock', () => {
  const year = 365 * 86_400_000;

  it.each([year, -year])('by %d ms and back leaves nothing behind', async (jump) => {
    let works = false;
    const { resolver, read } = setUp({
      read: () => (works ? Promise.resolve(makePost()) : Promise.reject(new Failure('platform_failed'))),
    });
    vi.setSystemTime(start + jump);
    expect(await keyOf(resolver.resolve(reference, never))).toBe('platform_failed');
    vi.setSystemTime(start);
    works = true;
    advanceTo(3_001);
    expect(await keyOf(resolver.resolve(reference, never))).toBe('ok');
    expect(await keyOf(resolver.resolve(reference, never, { fresh: true }))).toBe('ok');
    expect(read).toHaveBeenCalledTimes(3);
    vi.setSystemTime(start + jump);
    await resolver.resolve(reference, never);
    vi.setSystemTime(start + 5_000);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(300_001);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(4);
  });
});

describe('one reading for many', () => {
  it('is shared by all callers', async () => {
    const { read, readings } = held();
    const { resolver, events } = setUp({ read });
    const callers = Array.from({ length: 1_000 }, () => resolver.resolve(reference, never));
    expect(readings).toHaveLength(1);
    readings[0]?.finish(makePost());
    expect(new Set(await Promise.all(callers)).size).toBe(1);
    expect(events.filter(({ source }) => source === 'joined')).toHaveLength(999);
  });

  it('continues when one caller leaves, and stops when the last one does', async () => {
    const { read, readings } = held();
    const { resolver, events } = setUp({ read });
    const [first, second] = [new AbortController(), new AbortController()];
    const one = keyOf(resolver.resolve(reference, first.signal));
    const two = keyOf(resolver.resolve(reference, second.signal));
    first.abort(new Error('left'));
    expect(await one).toBe('Error: left');
    expect(readings[0]?.signal.aborted).toBe(false);
    second.abort(new Error('left too'));
    expect(await two).toBe('Error: left too');
    expect(readings[0]?.signal.aborted).toBe(true);
    expect(events.map(({ outcome }) => outcome)).toEqual(['left', 'left']);
    const third = resolver.resolve(reference, never);
    expect(readings).toHaveLength(2);
    readings[1]?.finish(makePost());
    expect((await third).id).toBe(reference.id);
  });

  it('does not begin for a caller who has left', async () => {
    const { resolver, read } = setUp();
    expect(await keyOf(resolver.resolve(reference, AbortSignal.abort(new Error('left'))))).toBe(
      'Error: left',
    );
    expect(read).not.toHaveBeenCalled();
  });
});

describe('a fresh reading', () => {
  it('bypasses the cache, and serves everybody who asks for one at about that time', async () => {
    const { resolver, read } = setUp();
    await resolver.resolve(reference, never);
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve(reference, never, { fresh: true })));
    expect(read).toHaveBeenCalledTimes(2);
    advanceTo(2_000);
    await resolver.resolve(reference, never, { fresh: true });
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(2);
    advanceTo(3_001);
    await resolver.resolve(reference, never, { fresh: true });
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('keeps the earlier answer when the platform has trouble', async () => {
    let works = true;
    const { resolver } = setUp({
      read: () => (works ? Promise.resolve(makePost()) : Promise.reject(new Failure('platform_blocked'))),
    });
    await resolver.resolve(reference, never);
    works = false;
    expect(await keyOf(resolver.resolve(reference, never, { fresh: true }))).toBe('platform_blocked');
    expect(await keyOf(resolver.resolve(reference, never))).toBe('ok');
  });

  it('is not repeated at once after the platform refused it', async () => {
    let failure: Failure | null = null;
    const { resolver, read } = setUp({
      read: () => (failure === null ? Promise.resolve(makePost()) : Promise.reject(failure)),
    });
    const freshly = () => keyOf(resolver.resolve(reference, never, { fresh: true }));
    await resolver.resolve(reference, never);
    failure = new Failure('platform_blocked');
    expect([await freshly(), await freshly()]).toEqual(['platform_blocked', 'platform_blocked']);
    expect(read).toHaveBeenCalledTimes(2);
    advanceTo(2_999);
    expect(await freshly()).toBe('platform_blocked');
    expect(read).toHaveBeenCalledTimes(2);
    advanceTo(3_001);
    failure = new Failure('post_gone');
    expect([await freshly(), await freshly()]).toEqual(['post_gone', 'post_gone']);
    expect(read).toHaveBeenCalledTimes(3);
    advanceTo(40_000);
    failure = null;
    expect(await freshly()).toBe('ok');
    expect(read).toHaveBeenCalledTimes(4);
  });
});

describe('a thin post', () => {
  const thin = (parts: Partial<Post> = {}) => makePost({ isThin: true, readBy: 'player', ...parts });

  it('is kept for one minute', async () => {
    const { resolver, read, events } = setUp({ read: async () => thin() });
    await resolver.resolve(reference, never);
    advanceTo(59_999);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(1);
    advanceTo(60_001);
    await resolver.resolve(reference, never);
    expect(read).toHaveBeenCalledTimes(2);
    expect(events.map(({ outcome }) => outcome)).toEqual(['thin', 'thin', 'thin']);
  });

  it('is read again when asked for, once for all who ask, and replaced by the full one', async () => {
    const posts = [thin(), makePost()];
    const { resolver, read, events } = setUp({ read: async () => posts.shift() ?? makePost() });
    await resolver.resolve(reference, never);
    const asked = Array.from({ length: 100 }, () => resolver.resolve(reference, never, { again: true }));
    for (const post of await Promise.all(asked)) expect(post.isThin).toBeUndefined();
    expect((await resolver.resolveText(address, never, { again: true })).readBy).toBe('page');
    advanceTo(200_000);
    expect((await resolver.resolve(reference, never)).readBy).toBe('page');
    expect(read).toHaveBeenCalledTimes(2);
    expect(events.filter(({ source }) => source === 'again')).toHaveLength(1);
  });

  it.each<FailureKey>(['platform_blocked', 'platform_timeout', 'post_gone', 'post_private', 'overloaded'])(
    'stays when looking again ends with %s, which is not kept',
    async (key) => {
      const outcomes = [() => thin(), () => Promise.reject(new Failure(key)), () => makePost()];
      const { resolver, read } = setUp({ read: async () => (outcomes.shift() ?? makePost)() });
      await resolver.resolve(reference, never);
      expect((await resolver.resolve(reference, never, { again: true })).isThin).toBe(true);
      expect((await resolver.resolve(reference, never)).isThin).toBe(true);
      expect(read).toHaveBeenCalledTimes(2);
      advanceTo(31_000);
      expect((await resolver.resolve(reference, never, { again: true })).isThin).toBeUndefined();
    },
  );

  it('is not read again at once when it is still thin', async () => {
    const { resolver, read } = setUp({ read: async () => thin() });
    for (let round = 0; round < 10; round += 1) await resolver.resolve(reference, never, { again: true });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('may be withheld meanwhile', async () => {
    let isWithheld = false;
    const { resolver } = setUp({ read: async () => thin(), isWithheld: () => isWithheld });
    await resolver.resolve(reference, never);
    isWithheld = true;
    expect(await keyOf(resolver.resolve(reference, never, { again: true }))).toBe('post_withheld');
  });
});

it('is limited to ten seconds, short link included', async () => {
  const { read, readings } = held();
  const { resolver } = setUp({
    read,
    locate: () => new Promise((done) => setTimeout(() => done(reference), 6_000)),
  });
  const outcome = keyOf(resolver.resolveText('https://vm.tiktok.com/ZS4VE7DHe/', never));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(readings[0]?.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe('platform_timeout');
  expect(readings[0]?.signal.aborted).toBe(true);
});

describe('short links', () => {
  it('are requested once, with the code as it was written', async () => {
    const { resolver, locate, read } = setUp();
    await Promise.all(
      Array.from({ length: 5 }, () => resolver.resolveText('vm.tiktok.com/ZS4VE7DHe', never)),
    );
    await resolver.resolveText('https://vt.tiktok.com/ZS4VE7DHe/', never);
    await resolver.resolveText('https://vt.tiktok.com/zs4ve7dhe/', never);
    const codes = locate.mock.calls.map(([link]: [ShortLink, AbortSignal]) => link.code);
    expect(codes).toEqual(['ZS4VE7DHe', 'zs4ve7dhe']);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('stay dead for a while once they are dead', async () => {
    const { resolver, locate } = setUp({ locate: () => Promise.reject(new Failure('short_link_dead')) });
    for (let index = 0; index < 3; index++) {
      expect(await keyOf(resolver.resolveText('vm.tiktok.com/ZS4VE7DHe', never))).toBe('short_link_dead');
    }
    expect(locate).toHaveBeenCalledTimes(1);
  });
});

it('refuses a post whose author disabled saving only when configured to', async () => {
  const read = async () => makePost({ savingAllowed: false });
  expect(await keyOf(setUp({ read }).resolver.resolve(reference, never))).toBe('ok');
  const { resolver } = setUp({ read, honourSavingOff: true });
  expect(await keyOf(resolver.resolve(reference, never))).toBe('post_saving_off');
  expect(await keyOf(resolver.resolve(reference, never))).toBe('post_saving_off');
  const unsaid = { read: async () => makePost({ savingAllowed: null }) };
  expect(await keyOf(setUp(unsaid).resolver.resolve(reference, never))).toBe('ok');
  const strict = setUp({ ...unsaid, honourSavingOff: true });
  expect(await keyOf(strict.resolver.resolve(reference, never))).toBe('platform_failed');
});

it('says what is wrong with a text', async () => {
  const { resolver, read } = setUp();
  expect(await keyOf(resolver.resolveText('hello', never))).toBe('link_missing');
  expect(await keyOf(resolver.resolveText('https://www.tiktok.com/@a', never))).toBe('link_profile');
  expect(read).not.toHaveBeenCalled();
});

it('passes on which network asks, so that failures of one do not count as everybody’s', async () => {
  const { resolver, read } = setUp();
  await resolver.resolveText(address, never, { requester: 'block-a' });
  expect(read.mock.calls.map(([, , requester]) => requester)).toEqual(['block-a']);
});
