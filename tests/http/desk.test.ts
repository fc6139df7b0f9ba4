import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type DeskVisit, noticeIn, operatorPassword, visitDesk } from '../support/desk.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
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

/** Writes to the operator like a visitor. @returns the message's number, as the desk lists it */
async function write({ get }: Journey, desk: DeskVisit, name: string): Promise<string> {
  await get('/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name,
      email: 'ada@example.org',
      subject: 'A <b>question</b>',
      message: 'How do I save a slideshow\nwith its sound?',
    }),
  });
  return /\/operator\/messages\/(\d+)/.exec(await desk.read('/operator/messages'))?.[1] ?? '';
}

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
    const fields = { deed: 'open', text: 'Forged' };
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
    const path = `/operator/messages/${await write(journey, desk, 'Ada')}`;
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

/** Makes an operator as the command line does. */
async function addOperator(name: string, ...words: readonly string[]) {
  const { output } = await runCli(['operator', 'add', name, '--json', ...words], {});
  return JSON.parse(output) as { line: string; password: string; address: string | null };
}

describe.each(journeyEngines)('deeds of several operators on $name', (engine) => {
  const file = join(makeDataFolder(), 'operators');
  let mail: MailServer;
  let journey: Journey;
  let desk: DeskVisit;
  let remove: () => Promise<void>;
  let anna: Awaited<ReturnType<typeof addOperator>>;
  let ben: typeof anna;
  let code: string;

  beforeAll(async () => {
    const [place, server] = await Promise.all([engine.makePlace(), startMailServer()]);
    [anna, ben] = await Promise.all([addOperator('anna'), addOperator('ben', '--without-code')]);
    await writeFile(file, `${anna.line}\n${ben.line}\n`);
    mail = server;
    remove = place.remove;
    journey = await startJourney({
      platform,
      env: {
        ...{ TRUST_PROXY: '127.0.0.1', OPERATOR_PASSWORDS_FILE: file, ...place.environment },
        ...{ SMTP_URL: mail.url, CONTACT_TO: 'operator@example.org' },
      },
    });
    desk = visitDesk(journey);
    const page = await desk.read('/operator/log-in');
    expect(page).toContain('"one-time-code"');
    expect((await desk.logIn(anna.password, { name: 'anna' })).status).toBe(403);
    code = URI.parse(anna.address ?? '').generate();
    expect((await desk.logIn(anna.password, { name: 'anna', code })).status).toBe(303);
  });
  afterAll(async () => {
    await journey.stop();
    await mail.stop();
    await remove();
  });

  test('a message is read, answered by mail, and deleted', async () => {
    const id = await write(journey, desk, 'Ada');
    expect(await desk.read('/operator/messages')).toContain('A &lt;b&gt;question&lt;/b&gt;');
    const path = `/operator/messages/${id}`;
    expect(await desk.read(path)).toContain('How do I save a slideshow\nwith its sound?');

    expect(await desk.send(path, 'answer', { text: '  ' })).toMatchObject({ status: 422 });
    const answered = await desk.send(path, 'answer', { text: 'Like this:\r\npress & hold.' });
    expect(answered).toMatchObject({ status: 303, notice: `The answer to message ${id} is on its way.` });
    const isAnswer = ({ headers }: MailServer['mails'][number]) =>
      headers.some((line) => line === 'Subject: Re: A <b>question</b>');
    await until('the answer is mailed', async () => mail.mails.some(isAnswer));
    const answer = mail.mails.find(isAnswer);
    expect(answer?.to).toEqual(['<ada@example.org>']);
    expect(answer?.body).toContain('press & hold.');
    expect(answer?.body).toContain('> How do I save a slideshow');
    expect(JSON.stringify(answer)).not.toContain('operator@example.org');
    await until('it is known', async () => /Your answer.*>mailed</s.test(await desk.read(path)));

    const deleted = await desk.send(path, 'delete');
    expect(deleted).toMatchObject({ notice: `Message ${id} is deleted.` });
    expect(deleted.location).toMatch(/^\/operator\/messages\?entry=\d+$/);
    expect((await desk.request(path)).status).toBe(404);
    for (const wrong of ['0', 'x', `${id}/2`, '99999999999'])
      expect((await desk.request(`/operator/messages/${wrong}`)).status).toBe(404);
  });

  test('a post is taken down with a reason, and available again when that is lifted', async () => {
    const link = platform.link('ordinary');
    expect((await journey.resolve('ordinary')).status).toBe(200);
    const nothing = await desk.send('/operator/takedowns', 'add', {
      links: `https://example.org\n${link}\nnothing`,
      reason: 'x',
      days: '',
    });
    expect(nothing.status).toBe(422);
    expect(nothing.notice).toMatch(
      /^Nothing was taken down\. https:\/\/example\.org is .*\. nothing is .*\.$/,
    );
    expect(nothing.html).toContain(`>https://example.org\n${link}\nnothing</textarea>`);
    const added = await desk.send('/operator/takedowns', 'add', {
      links: link,
      reason: 'Notice <12>',
      days: '30',
    });
    expect(added.notice).toBe('1 taken down.');
    expect(added.html).toContain('Notice &lt;12&gt;');
    await until('it is withheld', async () => (await journey.resolve('ordinary')).status === 451);
    const name = /name="name" value="([^"]+)"/.exec(added.html)?.[1] ?? '';
    const lifted = await desk.send('/operator/takedowns', 'lift', { kind: 'post', name });
    expect(lifted.notice).toBe(`post ${name} is to be had again.`);
    await until('it is there again', async () => (await journey.resolve('ordinary')).status === 200);
    expect(lifted.html).toMatch(/lifted.*added/s);
  });

  test('a note is on the status page until it is over', async () => {
    const opened = await desk.send('/operator/incidents', 'open', { text: 'Many links fail.' });
    expect(opened.notice).toContain('The status page shows it');
    await until('visitors read it', async () =>
      (await (await journey.get('/status')).text()).includes('Many links fail.'),
    );
    const id = /name="id" value="(\d+)"/.exec(opened.html)?.[1] ?? '';
    expect((await desk.send('/operator/incidents', 'close', { id })).notice).toBe('It is over.');
    expect((await desk.send('/operator/incidents', 'close', { id })).notice).toBe('It was over already.');
    expect(await desk.send('/operator/incidents', 'close', { id: 'x' })).toMatchObject({ status: 422 });
  });

  test('every strategy reads a link', async () => {
    const tried = await desk.send('/operator/canary', 'try', { link: platform.link('ordinary') });
    expect(tried.status).toBe(200);
    expect(tried.notice).toMatch(/^[1-9]\d* of \d+ read it\.$/);
    expect(tried.html).toMatch(/page<\/div>.*?>read</s);
    expect(await desk.send('/operator/canary', 'try', { link: 'https://example.org' })).toMatchObject({
      status: 422,
      notice: expect.stringContaining('link_'),
    });
  });

  test('the matrix shows which identity gets the page, at the desk and on the command line', async () => {
    await platform.configure({ gate: { desktop: 'challenge', honest: 'forbidden' } });
    try {
      const link = platform.link('ordinary');
      const asked = await desk.send('/operator/canary', 'try', { link, as: 'matrix' });
      expect(asked.notice).toBe('8 of 22 requests got the page.');
      expect(asked.html).toContain('Only the phone&#x27;s page answers here');
      expect(asked.html).toMatch(/>chrome<.*?>challenge</s);
      const { code, output } = await runCli(['canary', '--matrix', link], platform.environment);
      expect(output).toMatch(/^android {7}HTTP\/2 {4}warm {2}data .* \d encodings, HD/m);
      expect(output).toMatch(/^own-name .* forbidden /m);
      expect(output).toContain("> Only the phone's page answers here: nothing to do");
      expect(code).toBe(0);
    } finally {
      await platform.reset();
    }
    // Jars and doors are those of real readings: the matrix leaves no trace in them.
    const page = await desk.read('/operator/canary');
    expect(page).toMatch(/<caption[^>]*>Jars of cookies<.*?>chrome<.*?>[1-9]\d*</s);
    expect(await journey.product.metric('clipferry_jar_cookies', { identity: 'chrome' })).toBeGreaterThan(0);
    expect(await journey.product.metric('clipferry_jar_cookies', { identity: 'android' })).toBe(0);
  });

  test('a file of the embed page that is not one of the page is offered as one with a watermark', async () => {
    const compared = (file: string) => journey.product.metric('clipferry_embed_compared_total', { file });
    // The canary has read a post by the page and by the embed page.
    expect([await compared('same'), await compared('another')]).toEqual([1, 0]);
    const tried = await desk.send('/operator/canary', 'try', { link: platform.link('embed-marked') });
    expect(tried.html).toContain('may carry the watermark');
    expect(await compared('another')).toBe(1);
    // A line may come a moment after the answer.
    await expect
      .poll(() => journey.product.log().filter(({ compared: post }) => post !== undefined))
      .toMatchObject([{ level: 40, compared: { platform: 'tiktok' } }]);
    const { answer } = await journey.resolve('only-embed');
    expect(answer).toMatchObject({
      result: {
        post: { versions: [{ may_have_watermark: true }] },
        options: [{ id: 'mp4', may_have_watermark: true }, {}, {}],
      },
    });
    const link = platform.link('only-embed');
    for (const text of [link, `${link} ${platform.link('deleted')}`]) {
      const shown = await (await journey.get(`/?url=${encodeURIComponent(text)}`)).text();
      expect(shown).toContain('May show TikTok’s watermark');
      expect(shown).toContain('TikTok is only showing its standard version');
    }
  });

  test('pages are dropped from the cache', async () => {
    for (const path of ['/', '/de/', '/de/contact']) await journey.get(path);
    const dropped = await desk.send('/operator/cache', 'one', { address: 'https://site.example/de/contact' });
    expect(dropped.notice).toMatch(/^[1-9]\d* forms of \/de\/contact were dropped\.$/);
    expect((await desk.send('/operator/cache', 'one', { address: 'contact' })).status).toBe(422);
    expect((await desk.send('/operator/cache', 'all')).notice).toMatch(/^[1-9]\d* pages were dropped\.$/);
    expect(await desk.read('/operator/cache')).toContain('0 pages are kept');
  });

  test('switches promotions off and on', async () => {
    const isShared = async () => (await (await journey.get('/')).text()).includes('share-bar');
    expect(await isShared()).toBe(true);
    const off = await desk.send('/operator/promotions', 'off', { kind: 'share' });
    expect(off.notice).toBe('It is off, on all instances within a second or two.');
    await until('it is gone', async () => !(await isShared()));
    await desk.send('/operator/promotions', 'on', { kind: 'share' });
    await until('it is back', isShared);
  });

  test('each operator is told apart, no code counts twice, and a line that is taken out ends its sessions', async () => {
    const ofBen = visitDesk(journey, from(12));
    for (const [name, password] of [
      ['anna', ben.password],
      ['ben', anna.password],
      ['nobody', ben.password],
    ] as const)
      expect((await ofBen.logIn(password, { name })).status).toBe(403);
    expect((await ofBen.logIn(ben.password, { name: 'ben' })).status).toBe(303);
    await ofBen.send('/operator/incidents', 'open', { text: 'Of ben' });
    expect(await ofBen.read('/operator/log')).toMatch(/incidents open.*?>ben from 203\.0\.12\.0\/24</s);
    const again = await visitDesk(journey, from(13)).logIn(anna.password, { name: 'anna', code });
    expect(again.status).toBe(403);
    expect(noticeIn(await again.text())).toBe('The name, the password or the code is wrong.');

    await writeFile(file, `${anna.line}\n`);
    expect((await ofBen.request('/operator/log')).status).toBe(303);
    expect((await ofBen.logIn(ben.password, { name: 'ben' })).status).toBe(403);
    expect((await desk.request('/operator/log')).status).toBe(200);
  });

  test('the audit log contains all of it, also what failed', async () => {
    const log = await desk.read('/operator/log');
    for (const entry of [
      'anna from 127.0.0.0/24',
      'The password was right, and the code was wrong or had been used.',
      'log-in',
      'messages answer: message',
      'messages delete: message',
      'takedowns add: post tiktok/',
      'takedowns lift',
      'incidents open: incident 1',
      'canary try: tiktok',
      'promotions off: share',
      'cache all: all pages',
    ])
      expect(log).toContain(entry);
    expect(log).toContain('127.0.0.0/24');
    expect(log).toMatch(/incidents close.*?>failed</s);
    expect(log).not.toContain('ada@example.org');
    expect((await desk.request('/operator/log?before=2')).status).toBe(200);
    expect((await desk.send('/operator/log', 'no-such-deed')).notice).toBe('There is no such deed.');
    const token = /name="token" value="([^"]+)"/.exec(log)?.[1] ?? '';
    const all = {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ token, deed: 'end-sessions' }),
    };
    expect((await desk.request('/operator/log', all)).status).toBe(303);
    expect((await desk.request('/operator/log')).status).toBe(303);
  });
});
