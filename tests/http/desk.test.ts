import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type DeskVisit, noticeIn, visitDesk, writeMessage } from '../support/desk.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { makeDataFolder } from '../support/product.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const from = (block: number) => ({ 'x-forwarded-for': `203.0.${block}.1` });

/** Makes an operator as the command line does. */
async function addOperator(name: string, ...words: readonly string[]) {
  const { output } = await runCli(['operator', 'add', name, '--json', ...words], {});
  return JSON.parse(output) as { line: string; password: string; address: string | null };
}

describe.each(journeyEngines)('actions of several operators on $name', (engine) => {
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
    const id = await writeMessage(journey, desk, 'Ada');
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
    const off = await desk.send('/operator/promotions', 'off');
    expect(off.notice).toBe('Promotions are off, on all instances within a second or two.');
    await until('it is gone', async () => !(await isShared()));
    await desk.send('/operator/promotions', 'on');
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
      'promotions off: all',
      'cache all: all pages',
    ])
      expect(log).toContain(entry);
    expect(log).toContain('127.0.0.0/24');
    expect(log).toMatch(/incidents close.*?>failed</s);
    expect(log).not.toContain('ada@example.org');
    expect((await desk.request('/operator/log?before=2')).status).toBe(200);
    expect((await desk.send('/operator/log', 'no-such-action')).notice).toBe('There is no such action.');
    const token = /name="token" value="([^"]+)"/.exec(log)?.[1] ?? '';
    const all = {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ token, action: 'end-sessions' }),
    };
    expect((await desk.request('/operator/log', all)).status).toBe(303);
    expect((await desk.request('/operator/log')).status).toBe(303);
  });
});
