import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteDatabase } from '../../src/stores/embedded/sqlite-database.ts';
import { isAudit } from '../support/audit/scope.ts';
import { journeyEngines } from '../support/database-places.ts';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { eventually } from '../support/eventually.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { databaseFile } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Sums are written every few seconds. */
const lookMs = 500;

/** The text of a page, without its tags and charts, with white space as one space. */
const textOf = (html: string) =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ');

/** The desk of a logged-in operator. */
async function openDesk(journey: Journey) {
  const visit = visitDesk(journey);
  await visit.logIn();
  return { html: visit.read, read: async (path: string) => textOf(await visit.read(path)) };
}

test.for(journeyEngines)('the desk shows what visitors and the platform did, on $name', async (engine) => {
  const place = await engine.makePlace();
  const env = { OPERATOR_PASSWORD: operatorPassword, ...place.environment };
  const journey = await startJourney({ platform, env });
  const { origin } = journey.product;
  const desk = await openDesk(journey);
  expect(await desk.read('/operator/now')).toContain('Nothing was read within 7 days.');

  expect((await journey.resolve('ordinary')).status).toBe(200);
  expect((await journey.resolve('deleted')).status).toBe(404);
  expect((await journey.resolve('strange-no-address')).status).toBe(502);
  const file = await journey.get(await journey.href('ordinary', 'mp4'), {
    headers: { 'user-agent': browser, referer: `${origin}/de` },
  });
  await file.arrayBuffer();
  // A program is not a visitor.
  const other = await journey.get(await journey.href('ordinary', 'mp3'), {
    headers: { 'user-agent': 'curl/8' },
  });
  await other.arrayBuffer();

  const now = eventually(() => desk.read('/operator/now'), lookMs);
  // The strange post does not count as an answer of the strategy; the deleted one does.
  await now.toMatch(/tiktok\/page closed 1 h 66\.7% of 3 24 h 66\.7% of 3 7 days 66\.7% of 3/);
  const page = await desk.read('/operator/now');
  expect(page).toMatch(/Now links: (?:\d of \d|nobody has asked) in five minutes As of/);
  expect(page).toMatch(/Post gone 1 1 1/);
  expect(page).toMatch(/post_unreadable 1 1 1/);
  // With the trials of a strategy by which somebody got nothing.
  expect(page).toMatch(/tiktok\/page Chrome 151, Windows (?:66\.7|75)% (?:66\.7|75)% (?:66\.7|75)% [34]/);
  expect(page).toMatch(/direct \d/);
  expect(page).toMatch(/tiktok\/page cannot be read: lacks video_address .* 1 \d{19}/);
  expect(page).not.toContain('a field that was not there');
  // The instance has reported its state.
  await eventually(() => desk.read('/operator/now'), lookMs).toMatch(
    /Breakers all closed .* 0 of 200 waiting/,
  );
  expect(page).toContain(`Stores ${engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`);

  for (const period of ['day', 'week', 'month', 'year']) {
    const use = await desk.read(`/operator/use?period=${period}`);
    expect(use).toMatch(/By format Format Downloads Complete mp4 1 100%/);
    expect(use).toMatch(/By outcome Outcome Downloads Share complete 1 100%/);
    expect(use).toMatch(/By language of the page Language Downloads Complete de 1 100%/);
    expect(use).toMatch(/Page Downloads Views For each view index 1 [\d–]/);
    expect(use).toMatch(/Time to the first byte At most Files Share (\S+ (s )?(0 0%|1 100%) ?)+/);
  }
  const drawn = await desk.html('/operator/use');
  expect(drawn).toMatch(/role="img" aria-label="1 downloads within 24 hours\."/);
  // One bar, for one hour.
  expect(drawn).toMatch(/<path data-series="0" d="M[^M]+"/);
  expect(drawn).not.toMatch(/ style=|<script/);
  // Redirects of media and of a short link to hosts that are not known to be the platform's.
  const redirected = await journey.get(await journey.href('media-redirect-foreign', 'mp4'));
  expect(redirected.status).toBe(502);
  expect((await journey.resolve('short-foreign')).status).toBe(404);
  for (const strategy of ['tiktok/media', 'tiktok/short-link'])
    expect(
      await journey.product.metric('clipferry_new_shapes_total', { strategy, shape: 'host other' }),
    ).toBeGreaterThan(0);
  await journey.stop();
  await place.remove();
});

test('sums nothing up when there is no desk, and the pages do not exist', async () => {
  const journey = await sharedJourney();
  await journey.resolve('ordinary');
  expect((await journey.get('/operator/now')).status).toBe(404);
  const { query, close } = openSqliteDatabase(join(journey.product.dataFolder, databaseFile));
  const subjects = async () => {
    const rows = await query.selectFrom('tally').select('subject').distinct().execute();
    return rows.map(({ subject }) => subject);
  };
  // The status page has everybody's links; answers of the platform come before them.
  await eventually(subjects).toContain('outcome');
  for (const subject of ['post', 'strategy', 'answer', 'download'])
    expect(await subjects()).not.toContain(subject);
  await close();
});

test('the rules and the dashboard use existing metrics', { skip: !isAudit }, async () => {
  const journey = await startJourney({ platform, env: { OPERATOR_PASSWORD: operatorPassword } });
  const known = new Set(
    [...(await (await journey.get('/metrics')).text()).matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(
      ([, name = '', type]) => [name, ...(type === 'histogram' ? [`${name}_bucket`] : [])],
    ),
  );
  // Metrics of servers that this instance does not have.
  for (const [, name = ''] of readFileSync('src/app/parts/reachability.ts', 'utf8').matchAll(
    /'(clipferry_\w+_up)'/g,
  ))
    known.add(name);
  const files = ['prometheus/clipferry.rules.yaml', 'grafana/clipferry.json'];
  const asked = files.flatMap(
    (file) => readFileSync(`deploy/${file}`, 'utf8').match(/\b(?:clipferry|nodejs|process)_\w+/g) ?? [],
  );
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  await journey.stop();
});
