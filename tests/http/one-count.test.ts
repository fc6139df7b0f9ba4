import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { operatorPassword, visitDesk } from '../support/desk.ts';
import { startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const sumOf = (rows: readonly { readonly total: number }[]) =>
  rows.reduce((sum, { total }) => sum + total, 0);

test.for(journeyEngines)('everybody who counts finds the same 37 downloads, on $name', async (engine) => {
  const place = await engine.makePlace();
  const env = {
    ...{ OPERATOR_PASSWORD: operatorPassword, SITE_CONFIG: siteFile({ statistics: true }) },
    ...{ TRUST_PROXY: '127.0.0.1', CONVERSIONS: '1', ...place.environment },
  };
  const journey = await startJourney({ platform, env });
  const cli = { DATA_DIR: journey.product.dataFolder, ...place.environment };
  const { output } = await runCli(['keys', 'create', 'partner', '--json'], cli);
  const authorization = `Bearer ${(JSON.parse(output) as { key: string }).key}`;

  let visitors = 0;
  /** Each is another visitor, at another network. */
  const visitor = () => ({ 'x-forwarded-for': `203.0.${++visitors}.1` });
  const fetchFile = (href: string, headers: Record<string, string> = {}) =>
    journey.get(href, { headers: { ...visitor(), ...headers } });
  const download = async (href: string, headers?: Record<string, string>) => {
    const response = await fetchFile(href, headers);
    await response.arrayBuffer();
    return response.status;
  };
  const times = async (many: number, href: string, status: number, headers?: Record<string, string>) => {
    for (let time = 0; time < many; time++) expect(await download(href, headers)).toBe(status);
  };

  const mp4 = await journey.href('ordinary', 'mp4');
  const mp3 = await journey.href('ordinary', 'mp3');
  const photos = await journey.href('photos', 'zip');
  const files = [mp4, mp3].map((href) => `file=${href.replace('/api/files/', '')}`).join('&');
  await times(9, mp4, 200);
  await times(3, photos, 200);
  await times(2, await journey.href('photos', 'jpg-1'), 200);
  await times(3, `/api/files/zip?${files}`, 200);
  // A visitor counts ten times an hour.
  await times(12, mp3, 200, { 'x-forwarded-for': '198.51.100.1' });
  await until('the key is known', async () => {
    const { status } = await fetchFile('/api/files/x', { authorization });
    return status !== 401;
  });
  const keyUses = await journey.product.metric('clipferry_api_key_requests_total');
  await times(2, mp4, 200, { authorization, 'user-agent': 'curl/8' });

  // Two posts that the platform refuses; of one post a failure counts once.
  for (const name of ['media-gone', 'all-hosts-refuse']) await times(2, await journey.href(name, 'mp4'), 502);
  const leave = async (href: string) => {
    const { body } = await fetchFile(href);
    return () => body?.cancel();
  };
  for (let time = 0; time < 3; time++) await (await leave(await journey.href('ten-minutes', 'mp4')))();
  await platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
  const leaveSound = await leave(await journey.href('ten-minutes', 'mp3'));
  for (const name of ['very-short', 'moov-last']) {
    const waiting = await journey.href(name, 'mp3');
    const from = { headers: visitor() };
    const answer = journey.get(waiting, from);
    await until('it waits', async () => {
      const status = await journey.get(`${waiting}/status`);
      return ((await status.json()) as { result: { state: string } }).result.state === 'waiting';
    });
    await journey.get(`${waiting}/status`, { ...from, method: 'DELETE' });
    expect((await answer).status).toBe(409);
  }
  await leaveSound();

  // What does not count: programs without a key, and other sites.
  await times(3, mp4, 200, { 'user-agent': 'curl/8' });
  await times(4, mp4, 200, { 'sec-fetch-site': 'cross-site' });

  const read = async () => JSON.parse((await runCli(['statistics', '--json'], cli)).output) as Statistics;
  await until('all are written', async () => sumOf((await read()).downloads) === 37);
  const { days, downloads, uncounted } = await read();
  // Days, in case that one has ended meanwhile.
  expect(days.reduce((sum, day) => sum + day.downloads, 0)).toBe(37);
  const byOutcome = (outcome: string) => sumOf(downloads.filter((row) => row.outcome === outcome));
  expect([byOutcome('complete'), byOutcome('incomplete'), byOutcome('conversion_cancelled')]).toEqual([
    ...[29, 4, 2],
  ]);
  const { metric } = journey.product;
  expect(await metric('clipferry_downloads_total')).toBe(37);
  expect(await metric('clipferry_downloads_total', { outcome: 'complete' })).toBe(29);
  const ofFiles = uncounted.filter(({ what }) => what !== 'links' && what !== 'answers');
  expect(ofFiles.map(({ what, reason, total }) => `${what} ${reason} ${total}`)).toEqual([
    ...['videos other_site 4', 'videos program 3', 'sounds network 2', 'videos post 2'],
  ]);
  expect(await metric('clipferry_uncounted_total')).toBe(sumOf(uncounted));

  const desk = visitDesk(journey);
  await desk.logIn();
  expect(await desk.read('/operator/use')).toContain('aria-label="37 downloads within 24 hours."');
  const { result } = (await (await journey.get('/api/status')).json()) as StatusAnswer;
  const share = (kind: string) => result.kinds.find((one) => one.kind === kind)?.share;
  expect([share('videos'), share('sounds'), share('photos')]).toEqual([11 / 13, 1, 1]);
  const keys = JSON.parse((await runCli(['keys', 'list', '--json'], cli)).output) as [{ requests: number }];
  expect(keys[0].requests).toBe(keyUses + 2);
  await platform.reset();
  await journey.stop();
  await place.remove();
});

interface Statistics {
  readonly days: readonly { readonly downloads: number }[];
  readonly downloads: readonly { readonly outcome: string; readonly total: number }[];
  readonly uncounted: readonly { readonly what: string; readonly reason: string; readonly total: number }[];
}

interface StatusAnswer {
  readonly result: { readonly kinds: readonly { readonly kind: string; readonly share: number | null }[] };
}
