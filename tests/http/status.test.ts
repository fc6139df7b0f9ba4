import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { makeDataFolder } from '../support/product.ts';

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
  const dataFolder = place.environment.DATA_DIR ?? makeDataFolder();
  // Another visitor and another post for each failure: of one post a single one counts.
  const env = { TRUST_PROXY: '127.0.0.1', ...place.environment };
  const start = () => startJourney({ platform, env, dataFolder });
  const cli = { DATA_DIR: dataFolder, ...place.environment };
  const counting = await start();
  const from = (visitor: number) => ({ 'x-forwarded-for': `203.0.${visitor}.1` });
  for (let visitor = 0; visitor < 2; visitor++) {
    expect((await counting.resolve('ordinary', from(visitor))).status).toBe(200);
    // A visitor's mistake does not count.
    expect((await counting.resolve('https://example.org/', from(visitor))).status).toBe(422);
  }
  for (let time = 0; time < 12; time++) await counting.resolve('short-throttled', from(99));
  await counting.resolve('captcha-code-nothing', from(100));
  await counting.resolve('server-panic-nothing', from(101));
  expect(await statusOf(counting)).toMatchObject({ incidents: [] });
  expect(await runCli(['incident', 'open', 'Many', 'links', 'fail.'], cli)).toMatchObject({ code: 0 });
  // What it shows may be ten seconds old. A stop writes what it counted, and a start looks at once.
  await counting.stop();

  const journey = await start();
  const { kinds } = await statusOf(journey);
  expect(kinds.find(({ kind }) => kind === 'links')?.share).toBe(2 / 5);
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
  await journey.stop();
  const later = await start();
  expect((await statusOf(later)).incidents[0]?.ended_at).not.toBeNull();
  await later.stop();
  rmSync(dataFolder, { recursive: true, force: true });
  await place.remove();
});
