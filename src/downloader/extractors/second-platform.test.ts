import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asFailure, Failure } from '../../failures/failures.ts';
import type { SharedBreakers } from '../../stores/contracts/shared-breakers.ts';
import { MemorySharedBreakers } from '../../stores/contracts/testing/memory-shared-breakers.ts';
import { createSoundMaker } from '../conversions/sound/make-sound.ts';
import { fileKey } from '../conversions/source.ts';
import type { LinkTable } from '../links/link-table.ts';
import { tiktokLinks } from '../links/tiktok.ts';
import { readMovie } from '../media/mp4/read-movie.ts';
import { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import { BufferSource, collect } from '../media/testing/buffer-source.ts';
import { buildMp4 } from '../media/testing/mp4-builder.ts';
import { toneFrames } from '../media/testing/tone.ts';
import type { PlatformNetwork } from '../network/contracts.ts';
import type { HostLists } from '../network/targets.ts';
import { type Origin, startOrigin, testHosts, testNetwork } from '../network/testing/origin.ts';
import { listOptions } from '../options/options.ts';
import { variant } from '../options/testing/sample-post.ts';
import { chooseFiles } from '../post/choose-files.ts';
import type { Post, PostReference } from '../post/post.ts';
import { createPostResolver } from '../posts/resolver.ts';
import { createRemoteByteSource } from '../streaming/byte-source.ts';
import { copying } from '../streaming/testing/video-fixture.ts';
import { openVideo } from '../streaming/video.ts';
import type { TicketSound } from '../tickets/ticket-file.ts';
import { createTickets } from '../tickets/tickets.ts';
import type { Extractor, Strategy } from './extractor.ts';
import { hostListsOf } from './platform.ts';
import { platforms } from './platforms.ts';
import { StrategyChain } from './strategy-chain.ts';
import { createTiktokExtractor } from './tiktok/extractor.ts';
import { tiktokHosts } from './tiktok/hosts.ts';

/** An invented platform with case-sensitive ids and a strategy named like TikTok's. */
const links: LinkTable = {
  platform: 'clipper',
  id: /^[A-Za-z0-9_-]{11}$/,
  code: /^[a-z]{5}$/,
  handle: /^[a-z]{1,20}$/,
  language: /^[a-z]{2}$/,
  hosts: [{ name: /^www\.platform\.test$/, use: 'posts' }],
  posts: [{ path: 'clip/{id}' }],
  codes: { codes: [], posts: [] },
  others: [{ path: '{handle}', kind: 'link_profile' }],
  appSchemes: [{ schemes: 'invented', host: 'www.invented.example' }],
  lists: [],
  embedMark: /\bdata-clip="([\w-]+)"/g,
  mention: /^~[a-z]+$/,
  author: /^~([a-z]+)$/,
  addresses: {
    post: (id) => `https://www.platform.test/clip/${id}`,
    code: (code) => `https://www.platform.test/${code}`,
    list: ({ name }) => `https://www.platform.test/${name}`,
  },
};
const hosts: HostLists = {
  'clipper/page': [/^www\.platform\.test$/],
  'clipper/media': [/^v16\.platform\.test$/],
};

const never = new AbortController().signal;
const mp4 = buildMp4({ frames: toneFrames });
/** Two posts that differ only in case. */
const [upper, lower] = ['-Ab_CdEfGh9', '-ab_cdefgh9'] as const;

/** Reads the platform's pages, which consist of the name of a file. */
function createClipperExtractor(sharedBreakers: SharedBreakers): Extractor {
  const page: Strategy = {
    name: 'page',
    limitMs: 1_000,
    async read({ platform, id }, signal): Promise<Post> {
      const { status, body } = await network.fetchText({
        url: links.addresses.post(id),
        hosts: 'clipper/page',
        maxBytes: 1_000,
        maxRedirects: 0,
        signal,
      });
      if (status !== 200) throw new Failure('platform_blocked', { note: `HTTP ${status}` });
      const source = {
        urls: [`https://${testHosts.media}/${body}`],
        headers: {},
        expiresAt: Date.now() + 3_600_000,
      };
      return {
        ...{ platform, id, url: links.addresses.post(id), kind: 'video', title: `Clip ${id}`, durationS: 3 },
        author: { handle: 'ann', name: 'Ann' },
        videos: [variant(body.toString(), { source })],
        separateSounds: [],
        ...{ pictures: [], sound: null, song: null, cover: null, createdAt: null },
        ...{ soundMeasured: false, savingAllowed: true, readBy: 'page' },
      };
    },
  };
  const chain = new StrategyChain({
    platform: links.platform,
    strategies: [page],
    explainer: null,
    sharedBreakers,
    now: () => performance.now(),
  });
  return {
    platform: links.platform,
    links,
    strategies: [page],
    locate: () => Promise.reject(new Failure('short_link_dead')),
    list: () => Promise.reject(new Failure('link_profile')),
    read: (reference, signal, requester) => chain.read(reference, signal, requester),
    tryWhenDue: (usual, idleMs, signal) => chain.tryWhenDue(usual, idleMs, signal),
    states: () => chain.states(),
    agents: () => [],
    jars: () => [],
    matrix: async function* () {},
  };
}

let origin: Origin;
let network: PlatformNetwork;
beforeAll(async () => {
  origin = await startOrigin();
  network = testNetwork(origin, { hosts: { ...tiktokHosts, ...hosts } });
});
afterAll(async () => {
  await network.close();
  await origin.close();
});

/** An instance, alone or beside others. */
function setUp(place = new MemorySharedBreakers(() => performance.now())) {
  const sharedBreakers = place.instance();
  const tiktok = createTiktokExtractor({ network, sharedBreakers });
  const resolver = createPostResolver({
    extractors: [tiktok, createClipperExtractor(sharedBreakers)],
    honourSavingOff: false,
  });
  const tickets = createTickets({ secret: Buffer.alloc(32, 1), now: Date.now });
  return { resolver, tickets };
}

/** Pages name the file after their post; the media server returns the same bytes under each name. */
function serve(seen: string[] = []) {
  origin.handle = (request, response) => {
    seen.push(`${request.headers.host} ${request.url}`);
    if (request.headers.host === testHosts.page) response.end(`${request.url?.split('/').at(-1)}.mp4`);
    else response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': mp4.length }).end(mp4);
  };
  return seen;
}

describe('a second platform', () => {
  it.each([upper, lower])('finds, tickets and downloads its posts: %s', async (id) => {
    const seen = serve();
    const { resolver, tickets } = setUp();
    const post = await resolver.resolveText(`look: https//www.platform.test/clip/${id}?x=1`, never);
    expect(post).toMatchObject({ platform: 'clipper', id });

    const known = {
      formats: ['mp3', 'm4a'],
      isUnsupported: false,
      isSong: false,
      versions: [],
      hasSlideshow: false,
    } as const;
    const options = listOptions(post, { ...chooseFiles(post), ...known });
    expect(options.map((option) => option.id)).toEqual(['mp4', 'mp3', 'm4a']);
    const works = options.map(({ work }) => tickets.open(tickets.sign(work)));
    expect(works.map((work) => work.post)).toEqual(Array(3).fill({ platform: 'clipper', id }));

    const again = await resolver.resolve(works[0]?.post as PostReference, never);
    const { picture } = chooseFiles(again).default ?? {};
    if (picture === undefined) throw new Error('no video');
    const video = await openVideo({ network, source: picture.source, signal: never });
    const target = copying();
    const [bytes] = await Promise.all([buffer(target), video.pipeTo(target)]);
    expect(bytes.equals(mp4)).toBe(true);

    const maker = createSoundMaker({
      resolver,
      movies: new Mp4IndexCache(),
      encoders: [],
      readCover: async () => null,
      openSource: (source, refresh, knownSize) =>
        createRemoteByteSource({ network, source, refresh, knownSize }),
    });
    const request = { visitor: 'v', fast: false, signal: never, progress: () => {} };
    const sound = await maker.prepare({ ...request, work: works[2] as TicketSound });
    const m4a = await collect(sound.chunks);
    expect(m4a).toHaveLength(sound.length);
    expect((await readMovie(new BufferSource(m4a), never)).sound.samples.count).toBe(toneFrames.length);
    // Requested once, by its own name.
    expect(seen.filter((line) => line.startsWith(testHosts.page))).toEqual([`${testHosts.page} /clip/${id}`]);
    expect(seen).toContain(`${testHosts.media} /${id}.mp4`);
  });

  it('has a breaker of its own beside one with the same name, on all instances', async () => {
    origin.handle = (_request, response) => response.writeHead(503).end();
    const place = new MemorySharedBreakers(() => performance.now());
    const [{ resolver }, other] = [setUp(place), setUp(place)];
    for (let number = 0; number < 5; number++) {
      const reference = { platform: 'clipper', id: `Ab-cdefgh_${number}` };
      const failed = resolver.resolve(reference, never, { requester: `network ${number}` });
      expect(await failed.catch((thrown) => asFailure(thrown).key)).toBe('platform_blocked');
    }
    for (const { states } of [resolver, other.resolver]) {
      const byName = Object.fromEntries(states().map(({ name, state }) => [name, state]));
      expect(byName).toMatchObject({ 'clipper/page': 'open', 'tiktok/page': 'closed' });
    }
  });

  it('sends requests to its own hosts only', async () => {
    const seen = serve();
    const requestFrom = (list: 'tiktok/page' | 'clipper/page') =>
      network.fetchText({
        ...{ url: links.addresses.post(upper), hosts: list, maxBytes: 1_000, maxRedirects: 0, signal: never },
      });
    await expect(requestFrom('tiktok/page')).rejects.toThrow('platform_failed');
    expect(seen).toEqual([]);
    expect((await requestFrom('clipper/page')).status).toBe(200);
  });

  it('has files of its own where capitals do not count', () => {
    const keyOf = (platform: string, id: string) =>
      fileKey({ kind: 'sound', format: 'm4a', post: { platform, id } });
    const ids = [
      upper,
      lower,
      'a',
      'A',
      '-a',
      '_a',
      '0',
      '_',
      '-0',
      '--',
      'a-v3',
      'aV3',
      'a_v3',
      'A-',
      'V',
      'v',
    ];
    const keys = [...ids.map((id) => keyOf('clipper', id)), ...ids.map((id) => keyOf('tiktok', id))];
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(keys.length);
    for (const key of [...keys, keyOf('a'.repeat(16), 'A'.repeat(64))])
      expect(key).toMatch(/^[a-z0-9-]{1,200}$/);
  });
});

it('shares no list of hosts and no name with another platform', () => {
  const names = platforms.flatMap(({ hosts: lists }) => Object.keys(lists));
  expect(Object.keys(hostListsOf(platforms)).toSorted()).toEqual(names.toSorted());
  expect(new Set(platforms.map((one) => one.links.platform)).size).toBe(platforms.length);
  for (const { links: table, hosts: lists } of platforms)
    for (const name of Object.keys(lists)) expect(name).toMatch(new RegExp(`^${table.platform}/[a-z-]+$`));
  expect(platforms.map((one) => one.links)).toContain(tiktokLinks);
});
