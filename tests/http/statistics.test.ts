import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networks } from '../../src/features/promotion/share-bar/networks/networks.ts';
import { readFigures } from '../../src/features/statistics/figures.ts';
import type { Report } from '../../src/features/statistics/report.ts';
import { createReports, eventDetail } from '../../src/features/statistics/sums/reports.ts';
import { withReports } from '../../src/features/statistics/sums/tables.ts';
import { reportFor } from '../../src/features/statistics/testing/reports.ts';
import { openFreshDatabase } from '../../src/stores/contracts/testing/services/databases.ts';
import { createTallyStore } from '../../src/stores/tally/tally-store.ts';
import { unitOf } from '../../src/stores/tally/units.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { startProduct } from '../support/product.ts';
import { siteFile, twoExperiments } from '../support/site-file.ts';
import { until } from '../support/until.ts';

const path = '/api/web/report';
const agent =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/144.0.0.0 Mobile Safari/537.36';
const agreed = 'consent=1.10';
const headers = { 'content-type': 'application/json', 'user-agent': agent, cookie: agreed };
const config = siteFile({ ...twoExperiments, statistics: true });

const pageView = (data: Record<string, unknown> = {}) => ({
  upload_id: randomUUID(),
  mode: 'page_view',
  data: { url: 'https://clipferry.example/de/tiktok-downloader?url=secret', viewport_width: 360, ...data },
});

interface Answer {
  readonly cscode: number;
  readonly data: Readonly<Record<string, string | number>>;
  readonly error: { readonly key: string; readonly field?: string };
}

type FigureName = 'days' | 'pages' | 'downloads' | 'events' | 'uncounted';
type Figures = Readonly<Record<FigureName, Record<string, unknown>[]>>;

test('sums know every network of the share bar by its name', () => {
  const detailOf = (event_label: string) => eventDetail({ payload: { event_label } } as unknown as Report);
  expect(Object.keys(networks).map(detailOf)).toEqual(Object.keys(networks));
});

describe.each(journeyEngines)('statistics in $name', (engine) => {
  let journey: Journey;
  let fresh: Awaited<ReturnType<typeof openFreshDatabase>>;

  beforeAll(async () => {
    fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    // From a month ago and from yesterday, before the product starts.
    const reports = createReports(query, Date.now);
    const dayMs = 86_400_000;
    await reports.add([
      reportFor({ token: 'long-ago', madeAt: Date.now() - 31 * dayMs }),
      reportFor({ token: 'yesterday', madeAt: Date.now() - dayMs }),
    ]);
    const { DATA_DIR, ...env } = fresh.place.environment;
    journey = await startJourney({
      env: { SITE_CONFIG: config, REPORTS_PER_MINUTE: '60', TRUST_PROXY: '127.0.0.1', ...env },
      ...(DATA_DIR !== undefined && { dataFolder: DATA_DIR }),
    });
  });

  afterAll(async () => {
    await journey.stop();
    await fresh[Symbol.asyncDispose]();
  });

  /** Each test is another visitor for the limits. */
  async function send(body: unknown, from: string, more: Record<string, string> = {}, method = 'POST') {
    const response = await journey.get(path, {
      method,
      headers: { ...headers, 'x-forwarded-for': from, ...more },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer;
    return { status: response.status, answer, headers: response.headers };
  }

  const rows = (token: string) =>
    withReports(fresh.database.query).selectFrom('reports').selectAll().where('token', '=', token).execute();

  const figures = async (): Promise<Figures> => {
    const { output } = await runCli(['statistics', '--json'], { ...journeyEnvironment() });
    return JSON.parse(output) as Figures;
  };
  const journeyEnvironment = () => fresh.place.environment;

  test('deletes at the start what is older than the configured days', async () => {
    await until('old rows are gone', async () => (await rows('long-ago')).length === 0);
    expect(await rows('yesterday')).toHaveLength(1);
  });

  test('answers a report with names for the visitor, and stores it without address, agent or query', async () => {
    const view = pageView({
      tmp_token_id: 'my-own-name-1234',
      email: 'somebody@example.org',
      mac: null,
      referer_url: 'https://search.example/results?q=private',
      lang_domain: 'de.clipferry.example',
      web_version: '2.2.6',
      ga_ids: { year: '2026', day: '2026-11-22' },
      finger_id: '',
      ab_try_list: [
        { key: 'sidebarAB', version: '1', value: 'b', expire_day: 30 },
        { key: 'sidebarAB', value: 'made-up' },
        { key: 'made-up', value: 'b' },
      ],
    });
    const { status, answer, headers: sent } = await send(view, '203.0.113.1');
    expect([status, answer.cscode, sent.get('cache-control')]).toEqual([200, 0, 'no-store']);
    expect(answer.data).toEqual({
      token_id: 'my-own-name-1234',
      doc_id: expect.stringMatching(/^[\w-]{36}$/),
      visit_timestamp: expect.any(Number),
      s_id: expect.stringMatching(/^[\w-]{36}$/),
      s_expiration: 1800,
    });
    await until('it is written', async () => (await rows('my-own-name-1234')).length === 1);
    const [row] = await rows('my-own-name-1234');
    expect(row).toMatchObject({
      page: 'tiktok-downloader',
      locale: 'de',
      device: 'mobile',
      browser: 'chrome',
      system: 'android',
      session: answer.data.s_id,
    });
    // Nor a field that repeats a column.
    expect(JSON.parse(row?.payload ?? '')).toEqual({
      url: 'https://clipferry.example/de/tiktok-downloader',
      referer_url: 'https://search.example',
      viewport_width: 360,
      ab_try_list: [{ key: 'sidebarAB', version: '1', value: 'b', expire_day: 30 }],
    });
    expect(JSON.stringify(row)).not.toMatch(/203\.0|Mozilla|secret|private|somebody|null/);
    const { s_id, doc_id, visit_timestamp } = answer.data;
    const cookie = `${agreed}; token_id=my-own-name-1234; s_id=${s_id}; doc_id=${doc_id}; visit_timestamp=${visit_timestamp}`;
    // The form in which Android names a referring application.
    const fromApp = pageView({ referer_url: 'android-app://org.example.mail/' });
    const again = await send(fromApp, '203.0.113.1', { cookie });
    expect(again.answer.data).toEqual(answer.data);
    const { days, events } = await figures();
    await until('both count', async () => (await rows('my-own-name-1234')).length === 2);
    expect(days[0]).toMatchObject({ visitors: 1, visits: 1 });
    expect(events[0]).toMatchObject({ event: 'page_view' });
    const results = await runCli(['experiments', '--json'], journeyEnvironment());
    expect(JSON.parse(results.output)).toEqual([
      {
        experiment: 'sidebarAB',
        since: new Date().toISOString().slice(0, 10),
        variants: [{ variant: 'b', exposures: 1, conversions: 0, share: 0 }],
        uncounted: 0,
      },
    ]);
  });

  test('the same report counts once, alone or in a list, also as plain text', async () => {
    const token_id = `twice-${randomUUID()}`;
    const view = pageView({ token_id });
    await send(view, '203.0.113.2');
    await send([view, view, pageView({ token_id })], '203.0.113.2');
    await send(JSON.stringify(view), '203.0.113.2', { 'content-type': 'text/plain;charset=UTF-8' });
    await until('two are written', async () => (await rows(token_id)).length === 2);
    const { repeated } = {
      repeated: () => journey.product.metric('clipferry_reports_total', { result: 'repeated' }),
    };
    await until('the others are not', async () => (await repeated()) === 3);
    expect(await rows(token_id)).toHaveLength(2);
  });

  test.each([
    ['no report', '"x"', ''],
    ['nothing', {}, 'mode'],
    ['no name', { ...pageView(), upload_id: 'x' }, 'upload_id'],
    ['no such mode', { ...pageView(), mode: 'page' }, 'mode'],
    ['data that is no object', { ...pageView(), data: 'x' }, 'data'],
    ['a wrong address', pageView({ url: 'javascript:alert(1)' }), 'data.url'],
    ['a wrong number', pageView({ scroll_height: 'high' }), 'data.scroll_height'],
    ['more than all', pageView({ highest_page_viewed_percent: 101 }), 'data.highest_page_viewed_percent'],
    ['a wrong test', pageView({ ab_try_list: [{ key: 'a b' }] }), 'data.ab_try_list.0.key'],
    ['an event without name', { ...pageView(), mode: 'event' }, 'data.event'],
    ['one of two', [pageView(), pageView({ token_id: '<script>' })], '1.data.token_id'],
    ['too many', Array.from({ length: 21 }, () => ({ ...pageView(), data: {} })), ''],
  ])('refuses %s by name, and stores nothing', async (_, body, field) => {
    const stored = await journey.product.metric('clipferry_reports_total');
    const { status, answer } = await send(body, '203.0.113.3');
    expect([status, answer.error.key, answer.error.field]).toEqual([400, 'request_invalid', field]);
    expect(await journey.product.metric('clipferry_reports_total')).toBe(stored);
  });

  test('other sites, programs, browsers that refuse and large bodies leave nothing', async () => {
    const token_id = `nobody-${randomUUID()}`;
    const view = () => pageView({ token_id });
    const from = '203.0.113.4';
    expect((await send(view(), from, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send(view(), from, { origin: 'https://evil.example' })).status).toBe(403);
    const asBot = await send(view(), from, { 'user-agent': 'Googlebot/2.1' });
    expect([asBot.status, asBot.answer.data]).toEqual([200, {}]);
    expect((await send(view(), from, { 'sec-gpc': '1' })).answer.data).toEqual({});
    for (const cookie of ['', 'consent=1.00', 'consent=1.01', 'consent=0.11', 'token_id=no-answer-yet'])
      expect((await send(view(), from, { cookie })).answer.data).toEqual({});
    expect((await send('{"a":', from)).status).toBe(400);
    expect((await send(pageView({ token_id, web_version: 'x'.repeat(17_000) }), from)).status).toBe(413);
    // Reports are written in their order: once this one is there, the others would be too.
    await send(pageView({ token_id: `${token_id}-last` }), from);
    await until('the last is written', async () => (await rows(`${token_id}-last`)).length === 1);
    expect(await rows(token_id)).toEqual([]);
  });

  test('clears cookies of the former tracker', async () => {
    const cookie = `${agreed}; _YY_V3_TID_1=a; other=b; _YY_V3_TID_x y=c`;
    const { headers: sent } = await send(pageView(), '203.0.113.5', { cookie });
    expect(sent.getSetCookie()).toEqual(['_YY_V3_TID_1=; Max-Age=0; Path=/']);
  });

  test('a visitor who reports too often waits', async () => {
    const answers = await Promise.all(Array.from({ length: 61 }, () => send(pageView(), '198.51.100.9')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('a network counts for ten visits and visitors an hour, and its block for eighty, whatever names it uses', async () => {
    const today = unitOf('day', Date.now());
    const sums = async () => {
      const { query } = fresh.database;
      const [[day], uncounted] = await Promise.all([
        readFigures(query, 'days', today),
        readFigures(query, 'uncounted', today),
      ]);
      const lost = (what: string) =>
        uncounted.find((row) => row.what === what && row.reason === 'network')?.total ?? 0;
      return [day?.visits ?? 0, day?.visitors ?? 0, lost('visit'), lost('visitor')].map(Number);
    };
    // Reports are written in their order: once this one is there, those of other tests are too.
    await send(
      pageView({ token_id: 'after-the-others', s_id: 'a-visit-1', doc_id: 'a-day-12' }),
      '203.0.113.8',
    );
    await until('the others are written', async () => (await rows('after-the-others')).length === 1);
    // So are events, of which this link is the last.
    const links = () =>
      createTallyStore(fresh.database.query, Date.now).total({ subject: 'outcome', unit: 'hour', from: 0 });
    const linksBefore = await links();
    await journey.resolve('ordinary');
    await until('their events are written', async () => (await links()) > linksBefore);
    const before = await sums();
    const gained = async () => (await sums()).map((sum, at) => sum - (before[at] ?? 0));
    const trial = { ab_try_list: [{ key: 'resourceBannerAB', value: 'a' }] };
    const begin = async (address: number) => (await send(pageView(trial), `192.0.2.${address}`)).answer.data;
    const names = await Promise.all(Array.from({ length: 12 }, () => begin(1)));
    // Invented names, and those of visits that do not count, count no more than omitting them.
    for (const s_id of [randomUUID(), names.at(-1)?.s_id, 'a'.repeat(36)])
      await send(pageView({ ...trial, s_id, token_id: 'last-one-of-them' }), '192.0.2.1');
    for (const address of [2, 3, 4, 5, 6, 7, 8, 9])
      await Promise.all(Array.from({ length: 10 }, () => begin(address)));
    await until('all are counted', async () => (await gained())[0] === 80 && (await gained())[2] === 12);
    // The browser that named its visit did not send the name of the day: it would count as another visitor each time.
    expect(await gained()).toEqual([80, 80, 12, 15]);
    const { output } = await runCli(['experiments', 'resourceBannerAB'], journeyEnvironment());
    expect(output).toContain('a: 0 of 80 visits (0.0 %)');
    expect(output).toMatch(/not counted since \S+: \d+ visits/);
  });

  test('forgets a visitor at once', async () => {
    const token_id = `leaves-${randomUUID()}`;
    await send([pageView({ token_id }), pageView({ token_id })], '203.0.113.6');
    await until('they are written', async () => (await rows(token_id)).length === 2);
    expect((await send({ token_id: 'x' }, '203.0.113.6', {}, 'DELETE')).status).toBe(400);
    const wrong = await send({ token_id }, '203.0.113.6', { 'sec-fetch-site': 'cross-site' }, 'DELETE');
    expect(wrong.status).toBe(403);
    const { answer } = await send({ token_id }, '203.0.113.6', {}, 'DELETE');
    expect(answer).toMatchObject({ cscode: 0, data: { deleted: 2 } });
    expect(await rows(token_id)).toEqual([]);
  });

  test("counts pages and downloads without anybody's agreement", async () => {
    const visit = { headers: { 'user-agent': agent, 'x-forwarded-for': '203.0.113.7' } };
    const visitPage = async (where: string, init: RequestInit = visit) =>
      (await journey.get(where, init)).arrayBuffer();
    await visitPage('/ja/contact');
    await visitPage('/ja/contact.data');
    await visitPage('/ja/contact', { headers: { ...visit.headers, 'sec-purpose': 'prefetch' } });
    await visitPage('/ja/contact', { headers: { 'user-agent': 'Googlebot/2.1' } });
    await visitPage('/ja/contact/none/such');
    const href = await journey.href('ordinary', 'mp4');
    await visitPage(href);
    await visitPage(href, { headers: { ...visit.headers, range: 'bytes=0-' } });
    await visitPage(href, { headers: { ...visit.headers, range: 'bytes=100-' } });
    await visitPage(href, { ...visit, method: 'HEAD' });
    // A preview is not a download.
    await visitPage(`${href}/preview`);
    let found = await figures();
    const total = () => found.downloads.reduce((sum, row) => sum + Number(row.total), 0);
    await until('downloads are written', async () => {
      found = await figures();
      return total() >= 2;
    });
    expect(found.downloads).toEqual([{ format: 'mp4', outcome: 'complete', device: 'mobile', total: 2 }]);
    expect(found.pages.filter(({ page }) => page === 'contact')).toEqual([
      { page: 'contact', language: 'ja', device: 'mobile', total: 2 },
    ]);
    const { output, code } = await runCli(['statistics', 'pages', '--days', '1'], journeyEnvironment());
    expect(code).toBe(0);
    expect(output).toMatch(/^pages\n\npage +language +device +total\n/);
    expect(output).toMatch(/^contact +ja +mobile +2$/m);
    expect((await runCli(['statistics', 'weather'], journeyEnvironment())).code).toBe(2);
  });
});

test('limits what all reports take, for an address block and altogether, and reports what it drops', async () => {
  const product = await startProduct({
    env: { SITE_CONFIG: config, REPORTS_PER_HOUR: '100', TRUST_PROXY: '127.0.0.1' },
  });
  const send = async (from: string, length: number, data: object = {}) => {
    const response = await fetch(product.origin + path, {
      method: 'POST',
      headers: { ...headers, 'x-forwarded-for': from },
      body: JSON.stringify(Array.from({ length }, () => pageView({ ...data }))),
    });
    const answer = (await response.json()) as Answer;
    expect([response.status, answer.cscode]).toEqual([200, 0]);
    return 'token_id' in answer.data;
  };
  // Ten rows for a block, and ten kilobytes.
  expect([await send('203.0.113.1', 10), await send('203.0.113.200', 1)]).toEqual([true, false]);
  const long = { event: 'x', url: `https://clipferry.example/${'x'.repeat(300)}` };
  const trials = Array.from({ length: 20 }, () => ({
    key: 'sidebarAB',
    value: 'a',
    version: 'x'.repeat(60),
  }));
  const large = { ...long, ab_try_list: trials };
  expect([await send('2001:db8::1', 3, large), await send('2001:db8:0:ff::2', 3, large)]).toEqual([
    true,
    false,
  ]);
  const blocks = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((block) => send(`198.51.${block}.1`, 10));
  expect((await Promise.all(blocks)).filter((isTaken) => isTaken)).toHaveLength(8);
  const refused = await product.metric('clipferry_rows_refused_total', { table: 'reports' });
  expect(refused).toBe(1 + 3 + 10);
  await until('it is written', async () => {
    const { output } = await runCli(['statistics', 'uncounted'], { DATA_DIR: product.dataFolder });
    return /^report +no room +14$/m.test(output);
  });
  await product.stop();
});

test('a site without statistics has no such address and counts nothing', { skip: !isAudit }, async () => {
  const product = await startProduct({ env: { SITE_CONFIG: siteFile({ statistics: false }) } });
  const response = await fetch(product.origin + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(pageView()),
  });
  expect(response.status).toBe(404);
  expect(await product.metric('clipferry_reports_total')).toBe(0);
  await product.stop();
});
