import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConversionResponse } from '../../src/site/api.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;

beforeAll(async () => {
  platform = await startPlatform();
  await platform.configure({ posts: { 'ten-minutes': { bandwidthBps: 2_000_000 } } });
});
afterAll(() => platform.stop());

/** Reads a file to its end. @returns whether it arrived whole */
async function readToEnd(journey: Journey, href: string, onStarted: () => void): Promise<boolean> {
  const response = await journey.get(href);
  expect(response.status).toBe(200);
  try {
    for await (const _ of response.body ?? []) onStarted();
    return true;
  } catch {
    return false;
  }
}

const statusOf = async (journey: Journey, name: string) => (await journey.resolve(name)).status;

describe.each(journeyEngines)('on $name', (engine) => {
  test('a block stops running downloads and refuses new ones, until it is lifted', async () => {
    const place = await engine.makePlace();
    const journey = await startJourney({ platform, env: place.environment });
    const env = { DATA_DIR: journey.product.dataFolder, ...platform.environment, ...place.environment };
    const href = await journey.href('ten-minutes', 'mp4');
    const other = await journey.href('ordinary', 'mp4');
    let started = false;
    const running = readToEnd(journey, href, () => {
      started = true;
    });
    await until('the download began', () => started);

    const blocked = [platform.link('ten-minutes'), platform.link('example')];
    const example = `?url=${encodeURIComponent(platform.link('example'))}`;
    const offersExample = async () => (await (await journey.get('/')).text()).includes(example);
    expect(await offersExample()).toBe(true);
    const added = await runCli(['takedown', 'add', ...blocked, '--json'], env);
    expect(added).toMatchObject({ code: 0 });
    const [subject] = JSON.parse(added.output) as { kind: string; name: string; done: boolean }[];
    expect(subject).toMatchObject({ kind: 'post', done: true });
    expect(await running).toBe(false);
    await until('it is refused', async () => (await statusOf(journey, 'ten-minutes')) === 451);
    const { answer } = await journey.resolve('ten-minutes', { 'accept-language': 'tr' });
    expect(answer).toMatchObject({
      code: 451,
      error: { key: 'post_withheld', message: expect.stringContaining('engelledik') as string },
    });
    expect((await journey.get(href)).status).toBe(451);
    expect((await journey.get(other, { method: 'HEAD' })).status).toBe(200);
    expect((await runCli(['takedown', 'list'], env)).output).toContain(`post  ${subject?.name}`);

    // The first visitor for whom the example leads nowhere is the last one.
    await until('the example is refused', async () => (await statusOf(journey, 'example')) === 451);
    await until('it is hidden', async () => !(await offersExample()));

    await runCli(['takedown', 'remove', ...blocked], env);
    await until('it is lifted', async () => (await statusOf(journey, 'ten-minutes')) === 200);
    await until('the example is found', async () => (await statusOf(journey, 'example')) === 200);
    await until('it is offered again', offersExample);
    await journey.stop();
    await place.remove();
  });

  test('blocks an author with every post, also when a finished file is stored', async () => {
    const place = await engine.makePlace();
    const journey = await startJourney({ platform, env: place.environment });
    const env = { DATA_DIR: journey.product.dataFolder, ...place.environment };
    const { answer } = await journey.resolve('ordinary');
    if (!('result' in answer)) throw new Error('not resolved');
    const kept = await journey.href('ordinary', 'mp3');
    expect((await (await journey.get(kept)).arrayBuffer()).byteLength).toBeGreaterThan(1000);

    const { handle } = answer.result.post.author;
    expect(
      (await runCli(['takedown', 'add', `https://www.tiktok.com/@${handle.toUpperCase()}?lang=en`], env))
        .code,
    ).toBe(0);
    await until('the author is refused', async () => (await statusOf(journey, 'ordinary')) === 451);
    expect((await journey.get(kept)).status).toBe(451);
    await journey.stop();
    await place.remove();
  });
});

test('a block ends running and waiting conversions, and closes their finished files', {
  skip: !isAudit,
}, async () => {
  const journey = await startJourney({ platform, env: { CONVERSIONS: '1' } });
  const env = { DATA_DIR: journey.product.dataFolder };
  const kept = await journey.href('ordinary', 'mp3');
  expect((await (await journey.get(kept)).arrayBuffer()).byteLength).toBeGreaterThan(1000);

  const [mp3, m4a] = [await journey.href('ten-minutes', 'mp3'), await journey.href('ten-minutes', 'm4a')];
  let started = false;
  const running = readToEnd(journey, mp3, () => {
    started = true;
  });
  await until('the conversion began', () => started);
  const waiting = journey.get(m4a).then(
    ({ status }) => status,
    () => 'broken off',
  );
  const stateOf = async (href: string) => {
    const { result } = (await (await journey.get(`${href}/status`)).json()) as ConversionResponse;
    return result.state;
  };
  await until('the other waits', async () => (await stateOf(m4a)) === 'waiting');

  await runCli(['takedown', 'add', platform.link('ten-minutes'), platform.link('ordinary')], env);
  expect(await running).toBe(false);
  expect(await waiting).toBe('broken off');
  await until(
    'nothing is converted',
    async () => (await journey.product.metric('clipferry_conversions')) === 0,
  );
  expect([await stateOf(mp3), await stateOf(m4a)]).toEqual(['cancelled', 'cancelled']);
  for (const href of [mp3, m4a, kept]) {
    expect((await journey.get(href)).status).toBe(451);
    expect((await journey.get(href, { method: 'HEAD' })).status).toBe(451);
    expect((await journey.get(href, { headers: { range: 'bytes=0-99' } })).status).toBe(451);
  }
  await journey.stop();
});

test('a takedown does not wait for the platform', { skip: !isAudit }, async () => {
  const slow = { bandwidthBps: 2_000_000 };
  // Media addresses that expire at once are not cached: every request for a post needs another request.
  await platform.configure({ advanceMs: -3 * 86_400_000 });
  const journey = await startJourney({ platform });
  const env = { DATA_DIR: journey.product.dataFolder };
  const { answer } = await journey.resolve('ten-minutes');
  if (!('result' in answer)) throw new Error('not resolved');
  let started = false;
  const running = readToEnd(journey, await journey.href('ten-minutes', 'mp4'), () => {
    started = true;
  });
  await until('the download began', () => started);
  await platform.configure({ posts: { 'ten-minutes': { ...slow, latencyMs: 60_000 } } });

  await runCli(['takedown', 'add', 'https://www.tiktok.com/@somebody.else'], env);
  await runCli(['takedown', 'add', platform.link('landscape')], env);
  // Half of the time that the platform takes to answer.
  const mostMs = 30_000;
  await until('the next one is heard of', async () => (await statusOf(journey, 'landscape')) === 451, mostMs);
  expect((await journey.get('/readyz')).status).toBe(200);
  await runCli(['takedown', 'add', `https://www.tiktok.com/@${answer.result.post.author.handle}`], env);
  expect(await running).toBe(false);
  await journey.stop();
  await platform.configure({
    advanceMs: 3 * 86_400_000,
    posts: { 'ten-minutes': { ...slow, latencyMs: 0 } },
  });
});

test('does not block what is neither a post nor an author', { skip: !isAudit }, async () => {
  const place = await journeyEngines[0]?.makePlace();
  const env = place?.environment ?? {};
  for (const text of ['https://www.tiktok.com/tag/fyp', 'https://example.org/@someone', 'hello'])
    expect(
      (await runCli(['takedown', 'add', 'https://www.tiktok.com/@x/video/7615133378163811813', text], env))
        .code,
    ).toBe(2);
  expect((await runCli(['takedown', 'list', '--json'], env)).output.trim()).toBe('[]');
  await place?.remove();
});
