import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GateChange } from './pages/gate.ts';
import { startTiktokDouble, type TiktokDouble } from './server.ts';
import { Client, type Got } from './testing-client.ts';

let double: TiktokDouble;
let client: Client;
let http2: Client;

beforeAll(async () => {
  double = await startTiktokDouble();
  client = new Client(double);
  http2 = new Client(double, true);
});
afterEach(() => double.reset());
afterAll(async () => {
  await Promise.all([client.close(), http2.close()]);
  await double.close();
});

const www = () => double.links.ordinary ?? '';
const mobile = () => www().replace(/.*\/video\/(\d+)$/, 'https://m.tiktok.com/v/$1.html');
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36';
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const navigation = {
  accept: 'text/html',
  'accept-language': 'en',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
const hints = {
  'sec-ch-ua': '"Chromium";v="155", "Google Chrome";v="155"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
};

const get = (agent: string, headers: Record<string, string> = {}, from = client, url = www()) =>
  from.get(url, { 'user-agent': agent, ...headers });

/** What came, in a word. */
function kindOf({ status, headers, body }: Got): string {
  const text = body.toString();
  if (status !== 200) return headers.location?.includes('/login') ? 'login' : String(status);
  if (text.includes('_wafchallengeid')) return 'challenge';
  if (text.includes('Site Maintenance')) return 'maintenance';
  if (text.includes('"itemStruct"')) return text.includes('bitrateInfo') ? 'data' : 'plain data';
  if (text.includes('video-detail"') || text.includes('video.detail"')) return 'stub';
  return text.includes('__LOADABLE_REQUIRED_CHUNKS__') ? 'shell' : 'other';
}

const cookieOf = ({ headers }: Got) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';')[0])
    .join('; ');

const agents: readonly (readonly [keyof GateChange & string, string])[] = [
  ['desktop', chrome],
  ['phone', iphone],
  ['honest', 'Clipferry/1.0 (+https://site.example)'],
];
const outcomes = ['challenge', 'shell', 'stub', 'login', 'maintenance'] as const;

test.each(agents)('shuts out %s agents alone, in each way', async (kind, agent) => {
  for (const outcome of outcomes) {
    double.configure({ gate: { [kind]: outcome } });
    expect(kindOf(await get(agent))).toBe(outcome);
    for (const [, other] of agents) if (other !== agent) expect(kindOf(await get(other))).toBe('data');
  }
  double.configure({ gate: { [kind]: 'forbidden' } });
  expect(kindOf(await get(agent))).toBe('403');
  double.configure({ gate: { [kind]: 'throttle' } });
  expect(kindOf(await get(agent))).toBe('429');
  double.configure({ gate: { [kind]: 'verify-json' } });
  expect((await get(agent)).headers).toMatchObject({ 'bdturing-verify': expect.any(String) });
});

test('a shell has the size of the real one', async () => {
  double.configure({ gate: { desktop: 'shell' } });
  const { body } = await get(chrome);
  expect(body.length).toBeGreaterThan(40_000);
  expect(body.length).toBeLessThan(48_000);
});

test('a cold jar gets a shell with cookies, which open the page', async () => {
  double.configure({ gate: { coldJar: 'shell' } });
  const cold = await get(chrome);
  expect(kindOf(cold)).toBe('shell');
  expect(kindOf(await get(chrome, { cookie: cookieOf(cold) }))).toBe('data');
  expect(kindOf(await get(chrome, { cookie: 'ttwid=invented' }))).toBe('shell');
});

test('where only the home page warms a jar, the page does not', async () => {
  double.configure({ gate: { coldJar: 'shell', warmedBy: 'home' } });
  expect(kindOf(await get(chrome, { cookie: cookieOf(await get(chrome)) }))).toBe('shell');
  const home = await get(chrome, {}, client, 'https://www.tiktok.com/');
  expect(kindOf(await get(chrome, { cookie: cookieOf(home) }))).toBe('data');
  expect(double.stats().byKind.home).toBe(1);
});

test('a jar that met a challenge stays spoilt', async () => {
  const cookie = cookieOf(await get(chrome));
  double.configure({ gate: { spoils: true, desktop: 'challenge' } });
  expect(kindOf(await get(chrome, { cookie }))).toBe('challenge');
  double.configure({ gate: { desktop: 'data' } });
  expect(kindOf(await get(chrome, { cookie }))).toBe('challenge');
  expect(kindOf(await get(chrome))).toBe('data');
});

test('headers must agree with the agent where the gate looks at them', async () => {
  double.configure({ gate: { consistent: true } });
  expect(kindOf(await get(chrome))).toBe('challenge');
  expect(kindOf(await get(chrome, hints))).toBe('challenge');
  expect(kindOf(await get(chrome, navigation))).toBe('challenge');
  expect(kindOf(await get(chrome, { ...navigation, ...hints }))).toBe('data');
  expect(kindOf(await get(chrome.replace('155', '150'), { ...navigation, ...hints }))).toBe('challenge');
  expect(kindOf(await get(iphone, navigation))).toBe('data');
  expect(kindOf(await get(iphone, { ...navigation, ...hints }))).toBe('challenge');
  expect(kindOf(await get('Clipferry/1.0'))).toBe('data');
});

test('speaks HTTP/2 and 1.1, and lets only one of them pass on request', async () => {
  expect(kindOf(await get(chrome, {}, http2))).toBe('data');
  expect(double.stats().byHttpVersion).toEqual({ '2.0': 1 });
  double.configure({ gate: { http: '2' } });
  expect(kindOf(await get(chrome))).toBe('challenge');
  expect(kindOf(await get(chrome, {}, http2))).toBe('data');
  double.configure({ gate: { http: '1.1' } });
  expect(kindOf(await get(chrome))).toBe('data');
  expect(kindOf(await get(chrome, {}, http2))).toBe('challenge');
});

test('a host may agree on HTTP/1.1 alone, or lie', async () => {
  const fresh = new Client(double, true);
  double.configure({ alpn: 'http/1.1' });
  expect(kindOf(await get(chrome, {}, fresh))).toBe('data');
  expect(double.stats().byHttpVersion).toEqual({ '1.1': 1 });
  await fresh.close();
  const deceived = new Client(double, true);
  double.configure({ alpn: 'lies' });
  await expect(get(chrome, {}, deceived)).rejects.toThrow();
  await deceived.close();
});

test('lets seven of ten pass', async () => {
  double.configure({ gate: { passes: 7 } });
  const kinds = [];
  for (let n = 0; n < 20; n += 1) kinds.push(kindOf(await get(chrome)));
  expect(kinds.filter((kind) => kind === 'data')).toHaveLength(14);
  expect(kinds.join()).not.toContain('challenge,challenge');
});

test("the phone's page stands at its own address, too, and may lack encodings or its item", async () => {
  expect(kindOf(await get(iphone, {}, client, mobile()))).toBe('data');
  expect((await get(chrome, {}, client, mobile())).status).toBe(301);
  double.configure({ gate: { reflow: 'plain' } });
  expect(kindOf(await get(iphone, {}, client, mobile()))).toBe('plain data');
  double.configure({ gate: { reflow: 'no-item' } });
  expect(kindOf(await get(iphone))).toBe('stub');
  expect(kindOf(await get(chrome))).toBe('data');
});

test('counts cookies that another client received', async () => {
  const cookie = cookieOf(await get(chrome));
  await get(chrome, { cookie });
  expect(double.stats().foreignCookies).toBe(0);
});

test('sends odd cookies, and more than headers have room for', async () => {
  double.configure({ oddCookies: 'odd' });
  expect([(await get(chrome)).headers['set-cookie']].flat().length).toBeGreaterThan(60);
  double.configure({ oddCookies: 'too-many' });
  await expect(get(chrome)).rejects.toThrow(/overflow/i);
});
