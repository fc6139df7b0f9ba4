import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import { until } from '../support/until.ts';

describe.skipIf(!canHaveInstances)('the desk of three instances with Redis and PostgreSQL', () => {
  let instances: Instances;
  let journeys: Journey[];

  beforeAll(async () => {
    instances = await prepareInstances();
    const env = { OPERATOR_PASSWORD: operatorPassword, TRUST_PROXY: '127.0.0.1' };
    // The first one fills the database.
    const first = await instances.start(env);
    journeys = [first, ...(await Promise.all([instances.start(env), instances.start(env)]))];
  }, 180_000);
  afterAll(() => instances?.stop());

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

  test('a deed on one takes effect on all, and is in one log', async () => {
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
    await desk.send('/operator/promotions', 'off', { kind: 'share' });
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
});
