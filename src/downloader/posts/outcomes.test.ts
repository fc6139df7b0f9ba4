import { expect, test, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
import { createMemorySingleFlight } from '../../stores/contracts/testing/memory-single-flight.ts';
import type { Extractor } from '../extractors/extractor.ts';
import { tiktokLinks } from '../links/tiktok.ts';
import type { Post, PostReference } from '../post/post.ts';
import { createReadingLimit } from './platform-requests.ts';
import { createPostResolver, type PostResolverOptions, type ResolveEvent } from './resolver.ts';

const reference: PostReference = { platform: 'tiktok', id: '7301234567890123456' };
const forever = new AbortController().signal;

const source = {
  urls: ['https://v16m.tiktokcdn-us.com/x?a=1&b=%2F'],
  headers: { cookie: 'tt_chain_token=x' },
  expiresAt: Date.now() + 86_400_000,
  egress: 'w1',
};
const post: Post = {
  ...reference,
  url: `https://www.tiktok.com/@a/video/${reference.id}`,
  kind: 'video',
  author: { handle: 'a', name: 'Ä 🎵' },
  title: 'line\nbreak',
  durationS: 10.5,
  cover: source,
  createdAt: 1_700_000_000,
  videos: [
    {
      codec: 'h264',
      width: 576,
      height: 1024,
      bytes: 1,
      bitrate: null,
      tracks: 'whole',
      quality: null,
      soundId: null,
      source,
    },
  ],
  pictures: [{ width: 1, height: 2, source, motion: source }],
  sound: { container: 'mp4', durationS: null, source },
  separateSounds: [{ id: 'a1', bytes: 9, bitrate: 64_000, source }],
  song: { title: 't', artist: 'a', isOriginal: false, cover: source },
  soundMeasured: true,
  savingAllowed: true,
  readBy: 'page',
  egress: 'w1',
};

/** One instance: a resolver and its platform requests. */
function instance(
  singleFlight: DistributedSingleFlight,
  read: Extractor['read'] = async () => post,
  options: Partial<PostResolverOptions> = {},
) {
  const events: ResolveEvent[] = [];
  const extractor = {
    platform: 'tiktok' as const,
    links: tiktokLinks,
    strategies: [],
    read: vi.fn(read),
    locate: vi.fn<Extractor['locate']>(async () => ({ ...reference, egress: 'w1' })),
    tryWhenDue: async () => {},
    states: () => [],
    agents: () => [],
    jars: () => [],
    list: () => Promise.reject(new Failure('link_profile')),
    matrix: async function* () {},
  } satisfies Extractor;
  const resolver = createPostResolver({
    extractors: [extractor],
    honourSavingOff: false,
    singleFlight,
    observer: { resolved: (event) => events.push(event) },
    ...options,
  });
  return { resolver, extractor, events };
}

const keyOf = (thrown: unknown) => (thrown instanceof Failure ? thrown.key : String(thrown));

test('a thousand callers on three instances send one request to the platform, and all get the same post', async () => {
  const result = Promise.withResolvers<Post>();
  const singleFlight = createMemorySingleFlight();
  const instances = [1, 2, 3].map(() => instance(singleFlight, () => result.promise));
  const asked = Array.from({ length: 999 }, (_, n) => instances[n % 3]?.resolver.resolve(reference, forever));
  result.resolve(post);
  for (const answer of await Promise.all(asked)) expect(answer).toEqual(post);
  const reads = instances.map(({ extractor }) => extractor.read.mock.calls.length);
  expect(reads.reduce((sum, count) => sum + count, 0)).toBe(1);
  const sources = instances.flatMap(({ events }) => events.map((event) => event.source));
  expect(sources.filter((one) => one === 'read')).toHaveLength(1);
  expect(sources.filter((one) => one === 'shared')).toHaveLength(2);
});

test('shares what one instance learned with the others: posts, short links and refusals', async () => {
  const singleFlight = createMemorySingleFlight();
  const one = instance(singleFlight);
  await one.resolver.resolveText('https://vm.tiktok.com/ZMabcdefg/', forever);
  const other = instance(singleFlight);
  expect(await other.resolver.resolveText('https://vm.tiktok.com/ZMabcdefg/', forever)).toEqual(post);
  expect(other.extractor.locate).not.toHaveBeenCalled();
  expect(other.extractor.read).not.toHaveBeenCalled();

  const refusing = instance(createMemorySingleFlight(), async () => {
    throw new Failure('platform_throttled', { retryAfterS: 7 });
  });
  const refusals = createMemorySingleFlight();
  const first = instance(refusals, refusing.extractor.read);
  const second = instance(refusals);
  for (const { resolver } of [first, second])
    await expect(resolver.resolve(reference, forever)).rejects.toMatchObject({
      key: 'platform_throttled',
      retryAfterS: 7,
    });
  expect(second.extractor.read).not.toHaveBeenCalled();
  expect(second.events).toMatchObject([{ source: 'shared', outcome: 'platform_throttled' }]);
});

test('shares no trouble of one instance with the others', async () => {
  const singleFlight = createMemorySingleFlight();
  const broken = instance(singleFlight, () => {
    throw new TypeError('a mistake');
  });
  expect(await broken.resolver.resolve(reference, forever).catch(keyOf)).toBe('internal');
  const full = instance(singleFlight, undefined, {
    readingLimit: createReadingLimit({ most: 0, isBusy: () => false }),
  });
  expect(await full.resolver.resolve(reference, forever).catch(keyOf)).toBe('overloaded');
  expect(await instance(singleFlight).resolver.resolve(reference, forever)).toEqual(post);
});

test('a new reading replaces the old one everywhere', async () => {
  const singleFlight = createMemorySingleFlight();
  await instance(singleFlight).resolver.resolve(reference, forever);
  const again = { ...post, title: 'read again' };
  await instance(singleFlight, async () => again).resolver.resolve(reference, forever, { fresh: true });
  expect((await instance(singleFlight).resolver.resolve(reference, forever)).title).toBe('read again');
  const soon = instance(singleFlight, async () => ({ ...post, title: 'a third time' }));
  expect((await soon.resolver.resolve(reference, forever, { fresh: true })).title).toBe('read again');
});

test('looks again for a post that another instance read as thin, and replaces it everywhere', async () => {
  const singleFlight = createMemorySingleFlight();
  const one = instance(singleFlight, async () => ({ ...post, isThin: true }));
  const other = instance(singleFlight);
  expect(await one.resolver.resolve(reference, forever)).toMatchObject({ isThin: true });
  expect(await other.resolver.resolve(reference, forever, { again: true })).toEqual(post);
  expect(other.events.map(({ source }) => source)).toEqual(['again']);
  expect(await instance(singleFlight).resolver.resolve(reference, forever)).toEqual(post);
});

test('reads again what another version wrote, and replaces it', async () => {
  const singleFlight = createMemorySingleFlight();
  await singleFlight.put(`2 tiktok ${reference.id}`, {
    text: '{"until":1,"answer":{"value":{}}}',
    keepMs: 60_000,
  });
  const { resolver, extractor } = instance(singleFlight);
  expect(await resolver.resolve(reference, forever)).toEqual(post);
  expect(extractor.read).toHaveBeenCalledTimes(1);
  expect(await instance(singleFlight).resolver.resolve(reference, forever)).toEqual(post);
});

test('withholds a post that is withheld here, whoever read it', async () => {
  const singleFlight = createMemorySingleFlight();
  await instance(singleFlight).resolver.resolve(reference, forever);
  const here = instance(singleFlight, undefined, { isWithheld: ({ handle }) => handle === 'a' });
  expect(await here.resolver.resolve(reference, forever).catch(keyOf)).toBe('post_withheld');
});
