import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeskVisit, operatorPassword, visitDesk } from '../support/desk.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { rawRequest } from '../support/raw-request.ts';

let platform: PlatformProcess;
let journey: Journey;
beforeAll(async () => {
  platform = await startPlatform();
  journey = await startJourney({
    platform,
    env: { OPERATOR_PASSWORD: operatorPassword, TRUST_PROXY: '127.0.0.1' },
  });
});
afterAll(async () => {
  await journey.stop();
  await platform.stop();
});

const from = (block: number) => ({ 'x-forwarded-for': `203.0.${block}.1` });
const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** A logged-in operator, each from a separate block. */
async function enter(block: number): Promise<DeskVisit> {
  const desk = visitDesk(journey, from(block));
  await desk.logIn();
  return desk;
}

const tokenOf = async (desk: DeskVisit) =>
  /name="token" value="([^"]+)"/.exec(await desk.read('/operator/incidents'))?.[1] ?? '';

const post = (
  desk: DeskVisit,
  fields: Record<string, string>,
  headers: Record<string, string> = sameOrigin,
  path = '/operator/incidents',
) => desk.request(path, { method: 'POST', headers, body: new URLSearchParams(fields) });

/** Headers as if opened by hand: pages send no others. */
const incidents = async (desk: DeskVisit) => (await desk.read('/operator/incidents')).match(/Forged \d+/g);

describe('a form from another site', () => {
  test('does nothing, whatever headers a browser sends, and whatever token it has', async () => {
    const desk = await enter(1);
    const token = await tokenOf(desk);
    const other = await tokenOf(await enter(2));
    const over = await enter(1);
    const former = await tokenOf(over);
    await post(over, { token: former }, sameOrigin, '/operator/log-out');
    let n = 0;
    const forged = () => ({ action: 'open', text: `Forged ${++n}` });

    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: journey.product.origin },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: journey.product.origin.replace('127.0.0.1', '127.0.0.1.evil.example') },
    ])
      expect((await post(desk, { ...forged(), token }, headers)).status).toBe(403);
    const swapped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    // The token alone stops a browser that sends no headers, and a program.
    for (const headers of [sameOrigin, {}, { 'sec-fetch-site': 'none' }, { origin: journey.product.origin }])
      for (const wrong of ['', 'x', other, former, swapped, token.slice(1), `${token}=`, token.toUpperCase()])
        expect((await post(desk, { ...forged(), token: wrong }, headers)).status).toBe(400);
    expect((await post(desk, forged())).status).toBe(400);
    // In the address it would appear in logs and in referrers.
    expect((await post(desk, forged(), sameOrigin, `/operator/incidents?token=${token}`)).status).toBe(400);
    const query = new URLSearchParams({ ...forged(), token });
    expect((await desk.request(`/operator/incidents?${query}`)).status).toBe(200);
    // Without the cookie a token is worthless.
    expect((await post(visitDesk(journey, from(1)), { ...forged(), token })).status).toBe(303);
    const json = { ...sameOrigin, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...forged(), token });
    expect((await desk.request('/operator/incidents', { method: 'POST', headers: json, body })).status).toBe(
      400,
    );
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await desk.request('/operator/incidents', { method, headers: sameOrigin })).status).toBe(405);

    expect(await incidents(desk)).toBeNull();
    expect((await post(desk, { ...forged(), token })).status).toBe(303);
    expect(await incidents(desk)).toEqual([`Forged ${n}`]);
  });

  test('neither logs in nor out', async () => {
    const stranger = visitDesk(journey, from(3));
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const answer = await post(stranger, { password: operatorPassword }, headers, '/operator/log-in');
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const desk = await enter(3);
    const token = await tokenOf(desk);
    for (const headers of [{ 'sec-fetch-site': 'same-site' }, { origin: 'null' }])
      expect((await post(desk, { token }, headers, '/operator/log-out')).status).toBe(403);
    expect((await post(desk, { token: 'x' }, sameOrigin, '/operator/log-out')).status).toBe(400);
    expect((await desk.request('/operator/incidents')).status).toBe(200);
  });
});

test('no answer of the desk can be framed, cached or run, including refusals and redirects', async () => {
  const desk = await enter(4);
  const token = await tokenOf(desk);
  const stranger = visitDesk(journey, from(5));
  const guesser = visitDesk(journey, from(6));
  for (let time = 0; time < 10; time++) await guesser.logIn('guess');
  const long = { method: 'POST', headers: sameOrigin, body: `password=${'x'.repeat(10_000)}` };
  const answers: readonly [number, Promise<Response>][] = [
    [200, desk.request('/operator/incidents')],
    [200, stranger.request('/operator/log-in')],
    [303, desk.request('/operator')],
    [303, desk.request('/operator/')],
    [303, stranger.request('/operator')],
    [303, stranger.request('/operator/no-such-page')],
    [303, desk.request('/operator/log-in')],
    [303, post(desk, { token, action: 'close', id: '999' })],
    [400, post(desk, { token: 'x' })],
    [403, post(desk, { token }, { 'sec-fetch-site': 'cross-site' })],
    [403, stranger.logIn('wrong')],
    [404, desk.request('/operator/no-such-page')],
    [404, desk.request('/operator/incidents/5/6')],
    [413, stranger.request('/operator/log-in', long)],
    [422, post(desk, { token, action: 'open', text: '' })],
    [429, guesser.logIn()],
  ];
  for (const [status, asked] of answers) {
    const answer = await asked;
    const { headers, url } = answer;
    const of = `${answer.status} ${url}`;
    expect(answer.status, of).toBe(status);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy, of).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(policy, of).not.toMatch(/script|unsafe|\*/);
    expect(headers.get('x-frame-options'), of).toBe('DENY');
    expect(headers.get('cache-control'), of).toBe('no-store');
    expect(headers.get('x-robots-tag'), of).toContain('noindex');
    expect(headers.get('x-content-type-options'), of).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy'), of).toBe('same-origin');
  }
  // Refused before the address is matched to a route: even then a frame shows nothing.
  for (const [target, method] of [
    ['/operator/incidents', 'DELETE'],
    ['/operator/%zz', 'GET'],
    ['/operator/..%2f..%2fetc/passwd', 'GET'],
  ] as const) {
    const { headers } = await rawRequest(journey.product.origin, target, { method });
    expect(headers['content-security-policy'], target).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
  }
});

test('an injected session in the browser is invalid after the log-in', async () => {
  const attacker = await enter(7);
  const planted = attacker.cookies.get('operator-session') ?? '';
  const victim = visitDesk(journey, from(8));
  victim.cookies.set('operator-session', planted);
  const answer = await victim.logIn();
  expect(answer.status).toBe(303);
  const own = victim.cookies.get('operator-session') ?? '';
  expect(own).not.toBe(planted);
  expect(own.split('.')[0]).not.toBe(planted.split('.')[0]);
  // The contents of the victim's pages are not the attacker's.
  expect((await post(attacker, { token: await tokenOf(victim), action: 'close', id: '1' })).status).toBe(400);
  // A token that nobody received, in each part of it.
  const [name = '', end = '', signature = ''] = own.split('.');
  for (const text of [
    `${planted.split('.')[0]}.${end}.${signature}`,
    `${name}.zzzzzzzz.${signature}`,
    `${name}.${end}.${signature.slice(0, -1)}`,
    `${name}.${end}`,
    `${name}.${end}.${signature}.x`,
  ]) {
    const forger = visitDesk(journey, from(9));
    forger.cookies.set('operator-session', text);
    expect((await forger.request('/operator/incidents')).status, text).toBe(303);
  }
  // Cookies of a device open nothing.
  const device = visitDesk(journey, from(9));
  device.cookies.set('operator-session', victim.cookies.get('operator-device') ?? '');
  expect((await device.request('/operator/incidents')).status).toBe(303);
});
