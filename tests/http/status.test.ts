import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

interface StatusAnswer {
  readonly result: {
    readonly state: string;
    readonly kinds: readonly {
      readonly kind: string;
      readonly state: string;
      readonly share: number | null;
    }[];
    readonly incidents: readonly { readonly text: string; readonly ended_at: string | null }[];
  };
}

const statusOf = async (journey: Journey) =>
  ((await (await journey.get('/api/status')).json()) as StatusAnswer).result;

test.for(journeyEngines)('the status page shows what happens to visitors, on $name', async (engine) => {
  const place = await engine.makePlace();
  // Another visitor and another post for each failure: of one post a single one counts.
  const env = { TRUST_PROXY: '127.0.0.1', ...place.environment };
  const journey = await startJourney({ platform, env });
  const from = (visitor: number) => ({ 'x-forwarded-for': `203.0.${visitor}.1` });
  expect(await statusOf(journey)).toMatchObject({ state: 'unknown', incidents: [] });
  for (let visitor = 0; visitor < 2; visitor++) {
    expect((await journey.resolve('ordinary', from(visitor))).status).toBe(200);
    // A visitor's mistake does not count.
    expect((await journey.resolve('https://example.org/', from(visitor))).status).toBe(422);
  }
  for (let time = 0; time < 12; time++) await journey.resolve('short-throttled', from(99));
  await journey.resolve('captcha-code-nothing', from(100));
  await journey.resolve('server-panic-nothing', from(101));
  const cli = { DATA_DIR: journey.product.dataFolder, ...place.environment };
  expect(await runCli(['incident', 'open', 'Many', 'links', 'fail.'], cli)).toMatchObject({ code: 0 });

  await until('the links are counted', async () => {
    const { kinds } = await statusOf(journey);
    return kinds.find(({ kind }) => kind === 'links')?.share === 2 / 5;
  });
  expect(await statusOf(journey)).toMatchObject({
    state: 'broken',
    kinds: [
      { kind: 'links', state: 'broken' },
      { state: 'unknown' },
      { state: 'unknown' },
      { state: 'unknown' },
    ],
    incidents: [{ text: 'Many links fail.', ended_at: null }],
  });
  const page = await journey.get('/de/status');
  expect(page.headers.get('cache-control')).toBe('no-store');
  const html = await page.text();
  expect(html).toContain('Downloads schlagen gerade fehl');
  expect(html).toContain('Many links fail.');
  expect(html).toMatch(/\b40\s%/);

  expect(await runCli(['incident', 'close', '1'], cli)).toMatchObject({ code: 0 });
  expect(await runCli(['incident', 'close', '1'], cli)).toMatchObject({ code: 1 });
  expect(await runCli(['incident', 'close', 'x'], cli)).toMatchObject({ code: 2 });
  await until('it is over', async () => (await statusOf(journey)).incidents[0]?.ended_at != null);
  await journey.stop();
  await place.remove();
});
