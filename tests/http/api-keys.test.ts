import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorResponse, ResolveResponse } from '../../src/site/api.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const keyOf = (answer: ResolveResponse | ErrorResponse) => ('error' in answer ? answer.error.key : 'none');

/** The examples of the API page, as a visitor copies them. */
async function curlExamples(journey: Journey): Promise<string[]> {
  const page = await (await journey.get('/api')).text();
  // Long parts are folded, and their links lead into the fold.
  for (const id of ['post', 'options', 'recipes', 'errors'])
    expect(page).toMatch(new RegExp(`</summary><div class="disclosure-body" id="${id}"`));
  const codes = [...page.matchAll(/<pre[^>]*>(?:<code[^>]*>)?(curl [^<]*)/g)].map(([, code = '']) => code);
  return codes.map((code) =>
    code.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&'),
  );
}

test.for(journeyEngines)('a key has its own limits until it is revoked, on $name', async (engine) => {
  const place = await engine.makePlace();
  const limits = { RESOLVES_PER_MINUTE: '1' };
  const journey = await startJourney({ platform, env: { ...limits, ...place.environment } });
  const env = { DATA_DIR: journey.product.dataFolder, ...place.environment };
  const made = await runCli(['keys', 'create', 'partner', '--times', '3', '--json'], env);
  expect(made).toMatchObject({ code: 0 });
  const { key } = JSON.parse(made.output) as { key: string };
  const authorization = `Bearer ${key}`;

  const [plain = '', withKey = ''] = (await curlExamples(journey)).map((code) =>
    code
      .replace(/https?:\/\/[^/]+\/api/, `${journey.product.origin}/api`)
      .replace(/"url": "[^"]*"/, `"url": "${platform.link('ordinary')}"`)
      .replace('clipferry_…', key),
  );
  expect(keyOf(JSON.parse((await run('sh', ['-c', plain])).stdout) as ResolveResponse)).toBe('none');
  expect(keyOf((await journey.resolve('ordinary')).answer)).toBe('rate_limited');
  await until('the key is known', async () => {
    const { status } = await journey.resolve('nonsense', { authorization });
    return status !== 401;
  });
  expect(keyOf(JSON.parse((await run('sh', ['-c', withKey])).stdout) as ResolveResponse)).toBe('none');
  const { answer } = await journey.resolve('ordinary', { authorization });
  expect(keyOf(answer)).toBe('none');
  expect(keyOf((await journey.resolve('ordinary', { authorization })).answer)).toBe('rate_limited');

  const wrong = await journey.resolve('ordinary', {
    authorization: `${authorization}x`,
    'accept-language': 'de',
  });
  expect(wrong).toMatchObject({ status: 401, answer: { error: { key: 'api_key_invalid' } } });
  expect(JSON.stringify(wrong.answer)).toContain('API-Schlüssel');
  await until('its requests are counted', async () => {
    const listed = JSON.parse((await runCli(['keys', 'list', '--json'], env)).output) as object[];
    const counted = listed.map((one) => ({ ...one, madeAt: 0, usedAt: 0 }));
    expect(JSON.stringify(listed)).not.toContain(key);
    return JSON.stringify(counted).includes('"requests":4');
  });
  expect(await journey.product.metric('clipferry_api_key_requests_total{name="partner"}')).toBe(4);

  expect(await runCli(['keys', 'create', 'partner'], env)).toMatchObject({ code: 1 });
  expect(await runCli(['keys', 'create', 'other', '--times', '0'], env)).toMatchObject({ code: 2 });
  expect(await runCli(['keys', 'revoke', 'partner'], env)).toMatchObject({ code: 0 });
  await until('it is refused', async () => {
    const { status } = await journey.resolve('ordinary', { authorization });
    return status === 401;
  });
  await journey.stop();
  await place.remove();
});
