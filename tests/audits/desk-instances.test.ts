import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import { makeZip } from '../../src/features/operator/articles/import/testing/make-zip.ts';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import { until } from '../support/until.ts';

describe.skipIf(!canHaveInstances)('the desk of three instances with Redis, PostgreSQL and S3', () => {
  let instances: Instances;
  let s3: S3Double;
  let journeys: Journey[];

  beforeAll(async () => {
    [instances, s3] = await Promise.all([prepareInstances(), startS3Double()]);
    const env = { OPERATOR_PASSWORD: operatorPassword, TRUST_PROXY: '127.0.0.1', ...s3.environment };
    // The first one fills the database.
    const first = await instances.start(env);
    journeys = [first, ...(await Promise.all([instances.start(env), instances.start(env)]))];
  }, 180_000);
  afterAll(async () => {
    await instances?.stop();
    await s3?.close();
  });

  /** A browser whose requests the instances answer in turn, as behind a balancer. */
  function visitAll(block: number) {
    let turn = 0;
    const get: Journey['get'] = (path, init) => {
      turn += 1;
      const journey = journeys[turn % journeys.length];
      if (journey === undefined) throw new Error('no instance');
      return journey.get(path, init);
    };
    return visitDesk({ get }, { 'x-forwarded-for': `203.0.${block}.1` });
  }

  test('a session is valid on all, and ends on all', async () => {
    const desk = visitAll(1);
    await desk.logIn();
    for (let time = 0; time < 6; time++) expect((await desk.request('/operator/log')).status).toBe(200);
    const token = /name="token" value="([^"]+)"/.exec(await desk.read('/operator/log'))?.[1] ?? '';
    const kept = [...desk.cookies];
    const form = {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ token }),
    };
    expect((await desk.request('/operator/log-out', form)).status).toBe(303);
    for (const [name, value] of kept) desk.cookies.set(name, value);
    for (let time = 0; time < 6; time++) expect((await desk.request('/operator/log')).status).toBe(303);
  });

  test('guesses are counted together', async () => {
    const guesser = visitAll(2);
    const answers: number[] = [];
    for (let time = 0; time < 15; time++) answers.push((await guesser.logIn('guess')).status);
    expect(answers).toEqual([...Array(10).fill(403), ...Array(5).fill(429)]);
  });

  test('an action on one takes effect on all, and is in one log', async () => {
    const desk = visitAll(3);
    await desk.logIn();
    const link = instances.platform.link('ordinary');
    const statuses = () => Promise.all(journeys.map(async (one) => (await one.resolve('ordinary')).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    const added = await desk.send('/operator/takedowns', 'add', { links: link, reason: 'x', days: '' });
    expect(added.notice).toBe('1 taken down.');
    await until('all withhold it', async () => (await statuses()).every((status) => status === 451));

    const pages = () => Promise.all(journeys.map(async (one) => (await one.get('/')).text()));
    expect((await pages()).every((html) => html.includes('share-bar'))).toBe(true);
    await desk.send('/operator/promotions', 'off');
    await until('no instance shows it', async () =>
      (await pages()).every((html) => !html.includes('share-bar')),
    );

    await desk.send('/operator/incidents', 'open', { text: 'Seen by all' });
    const statusPages = () => Promise.all(journeys.map(async (one) => (await one.get('/status')).text()));
    const isSeen = async () => (await statusPages()).every((html) => html.includes('Seen by all'));
    // An instance checks every ten seconds.
    await until('all say so', isSeen, 25_000);
    const log = await desk.read('/operator/log');
    for (const what of ['takedowns add', 'promotions off', 'incidents open']) expect(log).toContain(what);
  });

  test('an article that is imported on one is read on all, with its picture from S3, until it is withdrawn', async () => {
    const desk = visitAll(4);
    await desk.logIn();
    const picture = await sharp({
      create: { width: 640, height: 360, channels: 3, background: '#123456' },
    })
      .png()
      .toBuffer();
    const front = 'title: A quay\ndescription: About it.\ncategory: guides\nauthor: editorial-team\n';
    const folder = 'content/articles/stone-quay';
    const zip = makeZip([
      {
        name: `${folder}/en.md`,
        bytes: `---\n${front}published: 2026-10-01\n---\n\n![A quay](quay.png)\n`,
      },
      { name: `${folder}/quay.png`, bytes: picture },
    ]);
    const file = new Blob([new Uint8Array(zip)], { type: 'application/zip' });
    const sent = await desk.send('/operator/articles', 'bring', { how: 'import', file });
    expect(sent.notice).toBe('Imported: 1 new, 0 changed and 0 unchanged articles.');
    expect([...s3.bucket.objects.keys()].some((key) => key.startsWith('pictures/'))).toBe(true);

    const statuses = async () =>
      Promise.all(journeys.map(async (one) => (await one.get('/stone-quay')).status));
    await until('all show it', async () => (await statuses()).every((status) => status === 200));
    for (const one of journeys) {
      const html = await (await one.get('/stone-quay')).text();
      const path = /<img[^>]* src="(\/[^"]+)"[^>]* alt="A quay"|alt="A quay"[^>]* src="(\/[^"]+)"/.exec(html);
      const answer = await one.get(path?.[1] ?? path?.[2] ?? expect.unreachable('no picture'));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^image\//),
      ]);
    }

    const withdrawal = { key: 'stone-quay', locale: '' };
    await desk.send('/operator/articles/stone-quay/en', 'unpublish', withdrawal);
    await until('none shows it', async () => (await statuses()).every((status) => status === 404));
  });
});
