import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { numberedId, type PlatformProcess, startPlatform } from '../support/platform.ts';
import { startHttpProxy, startSocksProxy, type TestProxy, throughPlatform } from '../support/proxies.ts';

const secret = 'the same on all instances, and long enough';
const credentials = { username: 'customer-7', password: 'pass:w/rd' };
/** The platform's view of each egress. */
const clients = ['203.0.113.1', '203.0.113.2', '203.0.113.3'] as const;
type Client = (typeof clients)[number];

let platform: PlatformProcess;
let proxies: TestProxy[];
let one: Journey;
let other: Journey;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  platform = await startPlatform();
  const route = (client: Client) => throughPlatform(platform.environment.HTTPS_PROXY, client);
  proxies = await Promise.all([
    startHttpProxy({ credentials, route: route(clients[0]) }),
    startSocksProxy({ credentials, route: route(clients[1]) }),
    startHttpProxy({ route: route(clients[2]) }),
  ]);
  env = { OUTBOUND_PROXIES: proxies.map(({ url }) => url).join(', '), SECRET_KEY: secret };
  [one, other] = await Promise.all([startJourney({ platform, env }), startJourney({ platform, env })]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await platform.stop();
});

/** Each client's requests during this call. */
async function requestsDuring(task: () => Promise<unknown>) {
  const before = (await platform.stats()).byClient;
  await task();
  const after = (await platform.stats()).byClient;
  const more = clients.map((client): [Client, Record<string, number>] => {
    const counts = Object.entries(after[client] ?? {}).map(([kind, count]): [string, number] => [
      kind,
      count - (before[client]?.[kind as 'page'] ?? 0),
    ]);
    return [client, Object.fromEntries(counts.filter(([, count]) => count > 0))];
  });
  expect(after['']).toBeUndefined();
  return new Map(more.filter(([, kinds]) => Object.keys(kinds).length > 0));
}

const numbered = (at: number) => `https://www.tiktok.com/@a/video/${numberedId(at)}`;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const isWhole = async (response: Response, name: string) =>
  (await bytesOf(response)).equals(originalVideo(name));
const restingOn = (journey: Journey, client: Client) =>
  journey.product.metric('clipferry_egress_resting_seconds', {
    proxy: (proxies[clients.indexOf(client)]?.url ?? '').replace(/\/\/.*@/, '//'),
  });

test('requests everything about a post through one egress', async () => {
  for (const name of ['only-576', 'moov-last']) {
    const egresses = await requestsDuring(async () => {
      const href = await one.href(name, 'mp4');
      expect(await isWhole(await one.get(href), name)).toBe(true);
      const { answer } = await one.resolve(name);
      if ('result' in answer && answer.result.post.cover_url !== null)
        expect((await one.get(answer.result.post.cover_url)).status).toBe(200);
      expect((await one.get(`${href}/ready`)).status).toBe(200);
    });
    expect([...egresses.values()]).toMatchObject([{ page: 1, image: 1 }]);
  }
});

test('distributes posts over the egresses', async () => {
  const egresses = await requestsDuring(() =>
    Promise.all(Array.from({ length: 30 }, (_, at) => one.resolve(numbered(200 + at)))),
  );
  expect(egresses.size).toBeGreaterThan(1);
});

test('a ticket names its egress: another instance reads the post through it', async () => {
  for (const name of ['rtl-title', 'dotted-handle', 'unicode-title']) {
    let href = '';
    const [first] = await requestsDuring(async () => {
      href = await one.href(name, 'mp4');
    });
    const second = await requestsDuring(async () => {
      expect(await isWhole(await other.get(href), name)).toBe(true);
    });
    expect([...second.keys()]).toEqual([first?.[0]]);
    // A ticket reveals nothing about its proxy.
    expect(href).toMatch(/^\/api\/files\/2\.tiktok\.\d+\.mp4\.[\w-]{4}\.[0-9a-z]+\.[\w-]{24}$/);
  }
});

test('fetches an mp3 and the pictures of a slideshow where the post was read', async () => {
  for (const [name, option] of [
    ['ordinary', 'mp3'],
    ['photos', 'zip'],
  ] as const) {
    const egresses = await requestsDuring(async () => {
      const response = await one.get(await one.href(name, option));
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).length).toBeGreaterThan(10_000);
    });
    expect(egresses.size).toBe(1);
  }
});

test('a challenged egress rests: another one reads the post in full, and the following posts', async () => {
  let client: Client = clients[0];
  [[client] = [client]] = await requestsDuring(() => one.href('silent', 'mp4'));
  await platform.configure({ clients: { [client]: 'challenge' } });
  // Not every post belongs to this egress; the first that does shows it.
  for (let at = 0; (await restingOn(one, client)) === 0; at += 1)
    expect((await one.resolve(numbered(at))).answer).toMatchObject({ code: 200 });
  const egresses = await requestsDuring(async () => {
    for (let at = 100; at < 110; at += 1) expect((await one.resolve(numbered(at))).status).toBe(200);
  });
  expect(egresses.has(client)).toBe(false);
  const strategies = await one.product.metric('clipferry_strategy_open', { strategy: 'tiktok/page' });
  expect(strategies).toBe(0);
  await platform.configure({ clients: { [client]: null } });
});

test("a download survives the loss of its egress's proxy: the rest comes through another", async () => {
  let href = '';
  const [[client] = [clients[0]]] = await requestsDuring(async () => {
    href = await other.href('no-h265', 'mp4');
  });
  const proxy = proxies[clients.indexOf(client)] as TestProxy;
  await proxy.close();
  const egresses = await requestsDuring(async () => {
    expect(await isWhole(await other.get(href), 'no-h265')).toBe(true);
  });
  expect(egresses.has(client)).toBe(false);
  expect(await restingOn(other, client)).toBeGreaterThan(0);
  await expect
    .poll(() => other.product.log().filter(({ msg }) => msg === 'an egress to the platform is unusable'))
    .toHaveLength(1);
});

test('the canary checks each egress, and a missing one fails', { skip: !isAudit }, async () => {
  const { code, output, errors } = await runCli(['canary', platform.link('ordinary')], {
    ...platform.environment,
    ...env,
  });
  expect(errors).toBe('');
  expect(output.match(/^egress [0-9a-f]{10} {2}(?:http|socks5):\/\/127\.0\.0\.1:\d+$/gm)).toHaveLength(3);
  expect(output.match(/^ok {6}page /gm)).toHaveLength(2);
  expect(output.match(/^failed {2}page .*platform_failed/gm)).toHaveLength(1);
  expect(output.match(/^ +mp4 720x1280 avc1 \+ mp4a\n +mp4-hd 1080x1920 hvc1 \+ mp4a$/gm)).toHaveLength(4);
  expect(code).toBe(1);
  expect(output).not.toMatch(/customer-7|pass/);
});

test('credentials that a proxy refuses are in nothing that the canary prints or the product logs', {
  skip: !isAudit,
}, async () => {
  const route = throughPlatform(platform.environment.HTTPS_PROXY, clients[0]);
  const refusing = await Promise.all([
    startHttpProxy({ credentials, route }),
    startSocksProxy({ credentials, route }),
  ]);
  for (const proxy of refusing) proxy.mood = 407;
  const [byHttp = '', bySocks = ''] = refusing.map(({ url }) => url);
  const { username, password } = credentials;
  const secrets = [username, password, encodeURIComponent(password), btoa(`${username}:${password}`)];
  const found = (text: string) => secrets.filter((secret) => text.includes(secret));
  const ways = [
    { OUTBOUND_PROXIES: [byHttp, bySocks, byHttp.replace('http:', 'https:')].join(' ') },
    { HTTPS_PROXY: byHttp },
  ];
  for (const way of ways) {
    for (const form of [[], ['--json'], ['--matrix'], ['--matrix', '--json']]) {
      const words = ['canary', ...form, platform.link('ordinary')];
      const { code, output, errors } = await runCli(words, { ...platform.environment, ...way });
      expect(code).toBe(1);
      // The causes are told.
      expect(output).toContain('407');
      expect(found(output + errors)).toEqual([]);
    }
    const refused = await startJourney({ platform, env: way });
    expect((await refused.resolve('ordinary')).status).toBe(502);
    const log = () => JSON.stringify(refused.product.log());
    await expect.poll(log).toContain('407');
    expect(found(log())).toEqual([]);
    await refused.stop();
  }
  await Promise.all(refusing.map((proxy) => proxy.close()));
});

test('no proxy’s credentials are in the log or in the metrics', async () => {
  const metrics = await (await one.get('/metrics')).text();
  expect(metrics).toContain('clipferry_egress_answers{egress="');
  for (const text of [metrics, JSON.stringify([one.product.log(), other.product.log()])])
    expect(text).not.toMatch(/customer-7|pass:w|pass%3Aw/);
});
