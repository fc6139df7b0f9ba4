import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { type DeskVisit, noticeIn, operatorPassword, visitDesk, writeMessage } from '../support/desk.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { makeDataFolder } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { until } from '../support/until.ts';

const env = { OPERATOR_PASSWORD: operatorPassword, TRUST_PROXY: '127.0.0.1' };

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const from = (block: number) => ({ 'x-forwarded-for': `203.0.${block}.1` });

test('without a password the address does not exist, like any unknown one', async () => {
  const journey = await sharedJourney();
  const answerOf = async (path: string, init: RequestInit = {}) => {
    const response = await journey.get(path, { redirect: 'manual', ...init });
    const { 'x-request-id': id = '', date: _, ...headers } = Object.fromEntries(response.headers);
    const text = (await response.text()).replaceAll(id, 'ID').replaceAll(path, '/PATH');
    return { status: response.status, headers: { ...headers, etag: '', 'content-length': '' }, text };
  };
  for (const [desk, other] of [
    ['/operator', '/operador'],
    ['/operator/log-in', '/operador/log-in'],
    ['/operator/log', '/operador/log'],
  ] as const) {
    const unknown = await answerOf(other);
    expect(unknown.status).toBe(404);
    expect(await answerOf(desk)).toEqual(unknown);
  }
  const form = { method: 'POST', body: new URLSearchParams({ password: operatorPassword }) };
  expect((await answerOf('/operator/log-in', form)).status).toBe(
    (await answerOf('/operador/log-in', form)).status,
  );
});

describe('log-in', () => {
  let journey: Journey;
  const dataFolder = makeDataFolder();
  beforeAll(async () => {
    journey = await startJourney({ platform, env, dataFolder });
  });
  afterAll(() => journey.stop());

  test('shows nothing of the desk to a stranger', async () => {
    const desk = visitDesk(journey);
    for (const path of ['/operator', '/operator/log', '/operator/no-such-page', '/operator/messages/1']) {
      const answer = await desk.request(path);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toMatch(/^\/operator\/log-in(\?to=(log|messages))?$/);
    }
    expect((await desk.request('/operator/log', { method: 'POST' })).status).toBe(303);
    expect((await desk.request('/operator/log', { method: 'DELETE' })).status).toBe(405);
    for (const path of ['/sitemap.xml', '/robots.txt'])
      expect(await (await journey.get(path)).text()).not.toContain('operator');
  });

  test('runs nothing in the browser, cannot be framed, and is neither cached nor indexed', async () => {
    const desk = visitDesk(journey, from(1));
    await desk.logIn();
    for (const path of ['/operator/log-in', '/operator/log', '/operator/no-such-page']) {
      const { headers } = await desk.request(path);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')).not.toContain('script');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(await desk.read('/operator/log')).not.toContain('<script');
  });

  test('creates a new session each time, in a cookie that is for the desk only', async () => {
    const desk = visitDesk(journey, from(2));
    const answer = await desk.logIn();
    expect(answer.headers.get('location')).toMatch(/^\/operator\//);
    const [session = '', device = ''] = answer.headers.getSetCookie();
    expect(session).toMatch(
      /^operator-session=[\w.-]+; Max-Age=43200; Path=\/operator; HttpOnly; SameSite=Strict$/,
    );
    expect(device).toMatch(
      /^operator-device=[\w.-]+; Max-Age=7776000; Path=\/operator; HttpOnly; SameSite=Strict$/,
    );
    const behindTls = await visitDesk(journey, { ...from(2), 'x-forwarded-proto': 'https' }).logIn();
    expect(behindTls.headers.getSetCookie()[0]).toContain('; Secure');
    expect(behindTls.headers.getSetCookie()[0]).not.toContain(session.split(';')[0]);
  });

  test('accepts no session that somebody else has chosen', async () => {
    const desk = visitDesk(journey, from(3));
    const forged = `${'A'.repeat(22)}.zzzzzzzz.${'A'.repeat(43)}`;
    for (const text of [forged, '', '%00', 'a'.repeat(10_000)]) {
      desk.cookies.set('operator-session', text);
      expect((await desk.request('/operator/log')).status).toBe(303);
    }
    desk.cookies.set('operator-session', forged);
    await desk.logIn();
    expect(desk.cookies.get('operator-session')).not.toBe(forged);
    expect((await desk.request('/operator/log')).status).toBe(200);
  });

  test('ends with the log-out, for every holder of its cookie', async () => {
    const desk = visitDesk(journey, from(4));
    await desk.logIn();
    const stolen = desk.cookies.get('operator-session') ?? '';
    const token = /name="token" value="([^"]+)"/.exec(await desk.read('/operator/log'))?.[1] ?? '';
    const logOut = (given: string) =>
      desk.request('/operator/log-out', {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ token: given }),
      });
    expect((await logOut('')).status).toBe(400);
    expect((await logOut(token)).headers.get('location')).toBe('/operator/log-in');
    expect(desk.cookies.has('operator-session')).toBe(false);
    desk.cookies.set('operator-session', stolen);
    expect((await desk.request('/operator/log')).status).toBe(303);
  });

  test('is refused to a guesser, and to nobody else', async () => {
    const guesser = visitDesk(journey, from(5));
    for (let time = 0; time < 10; time++) {
      const answer = await guesser.logIn(`guess ${time}`);
      expect(answer.status).toBe(403);
      expect(noticeIn(await answer.text())).toBe('That is not the password.');
    }
    const refused = await guesser.logIn();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const desk = visitDesk(journey, from(6));
    expect((await desk.logIn()).status).toBe(303);
    const counted = /203\.0\.5\.0\/24<\/div><\/td>.*?>10<.*?>1</s;
    await until('the tries are counted', async () => counted.test(await desk.read('/operator/log')));
  });

  test('accepts forms of its own pages only', async () => {
    const desk = visitDesk(journey, from(7));
    const post = (path: string, headers: Record<string, string>, fields: Record<string, string>) =>
      desk.request(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
    const elsewhere = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of elsewhere)
      expect((await post('/operator/log-in', headers, { password: operatorPassword })).status).toBe(403);
    await desk.logIn();
    const other = visitDesk(journey, from(8));
    await other.logIn();
    const tokenOf = async (visit: DeskVisit) =>
      /name="token" value="([^"]+)"/.exec(await visit.read('/operator/incidents'))?.[1] ?? '';
    const fields = { action: 'open', text: 'Forged' };
    for (const headers of elsewhere)
      expect(
        (await post('/operator/incidents', headers, { ...fields, token: await tokenOf(desk) })).status,
      ).toBe(403);
    const here = { 'sec-fetch-site': 'same-origin' };
    for (const token of ['', 'x', await tokenOf(other)])
      expect((await post('/operator/incidents', here, { ...fields, token })).status).toBe(400);
    expect(await desk.read('/operator/incidents')).not.toContain('Forged');
    expect((await post('/operator/incidents', here, { ...fields, token: await tokenOf(desk) })).status).toBe(
      303,
    );
  });

  test('reads no long form of a stranger, and no broken one', async () => {
    const desk = visitDesk(journey, from(9));
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      desk.request('/operator/log-in', { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post(`password=${'x'.repeat(9000)}`)).status).toBe(413);
    expect((await post('x', 'multipart/form-data; boundary=')).status).toBe(400);
    expect((await post('{}', 'application/json')).status).toBe(400);
  });

  test('a message cannot be answered without a mail server, and the page says so', async () => {
    const desk = visitDesk(journey, from(11));
    await desk.logIn();
    const path = `/operator/messages/${await writeMessage(journey, desk, 'Ada')}`;
    expect(await desk.read(path)).toContain('There is no mail server');
    expect(await desk.send(path, 'answer', { text: 'Hello' })).toMatchObject({
      status: 422,
      notice: 'There is no mail server: set SMTP_URL and CONTACT_TO.',
    });
  });

  test('another password ends every session', { skip: !isAudit }, async () => {
    const desk = visitDesk(journey, from(10));
    await desk.logIn();
    expect((await desk.request('/operator/log')).status).toBe(200);
    await journey.product.stop();
    journey = await startJourney({
      ...{ platform, dataFolder },
      env: { ...env, OPERATOR_PASSWORD: 'another long password' },
    });
    const later = visitDesk(journey, from(10));
    for (const [name, value] of desk.cookies) later.cookies.set(name, value);
    expect((await later.request('/operator/log')).status).toBe(303);
    expect((await later.logIn()).status).toBe(403);
    expect((await later.logIn('another long password')).status).toBe(303);
  });
});
