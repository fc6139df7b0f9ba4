import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { openFaultyLine } from '../../src/stores/contracts/testing/services/faulty-line.ts';
import { hasRedis, makeRedisPlace } from '../../src/stores/contracts/testing/services/redis-places.ts';
import { expectWithin, isAudit } from '../support/audit/scope.ts';
import { startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';

/** Instances with different keys reject each other's pages. */
const secretKey = 'the same on all instances, and long enough';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** The page cache as its own program, on a free port. */
async function startPageCache(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = spawn(process.execPath, ['src/features/page-cache-server/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PAGE_CACHE_PORT: '0', ...env },
  });
  ended.push(async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, origin } = JSON.parse(line) as { msg: string; origin: string };
    if (msg === 'ready') return origin;
  }
  throw new Error('The page cache ended before it was ready');
}

async function startSite(PAGE_CACHE_URL: string) {
  const product = await startProduct({ env: { PAGE_CACHE_URL, SECRET_KEY: secretKey } });
  ended.push(() => product.stop());
  return product;
}

test('one instance shows what another made, and a drop is for both', async () => {
  const cache = await startPageCache();
  const [one, two] = await Promise.all([startSite(cache), startSite(cache)]);
  const made = await rawRequest(one.origin, '/tiktok-downloader');
  const listed = async () => (await fetch(`${cache}/keys`, { method: 'POST' })).json();
  await expect.poll(listed).toEqual(['en.desktop/tiktok-downloader']);
  const shown = await rawRequest(two.origin, '/tiktok-downloader');
  expect(shown.body.equals(made.body)).toBe(true);
  expect(shown.headers['content-security-policy']).toBe(made.headers['content-security-policy']);
  expect(await two.metric('clipferry_page_cache_total', { result: 'hit' })).toBe(1);
  const data = await rawRequest(one.origin, '/api.data');
  await expect.poll(listed).toHaveLength(2);
  expect((await rawRequest(two.origin, '/api.data')).headers['x-remix-response']).toBe(
    data.headers['x-remix-response'],
  );
  // Write access to the cache does not let anybody show a page of their own.
  const kept = await (await fetch(`${cache}/get?key=en.desktop/tiktok-downloader`)).text();
  expect(kept).toContain('</body>');
  const forged = kept.replace('</body>', '<script>smuggled()</script></body>');
  const version = (await fetch(`${cache}/get?key=en.desktop/tiktok-downloader`)).headers.get(
    'x-page-version',
  );
  const path = `/set?key=en.desktop/tiktok-downloader&ts=${version}`;
  await fetch(cache + path, { method: 'POST', body: forged, headers: { 'sec-fetch-site': '' } }).catch(
    () => {},
  );
  await fetch(`${cache}/reset`, { method: 'POST' });
  await rawRequest(two.origin, '/tiktok-downloader');
  expect(await two.metric('clipferry_page_cache_total', { result: 'miss' })).toBe(1);
});

test('a hanging cache host delays no page', { skip: !isAudit }, async () => {
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  ended.push(async () => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const product = await startSite(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`);
  await rawRequest(product.origin, '/api.data');
  for (let n = 0; n < 6; n += 1) {
    const since = performance.now();
    const { status } = await rawRequest(product.origin, '/tiktok-downloader');
    expect(status).toBe(200);
    // 50 ms for the cache; the rest is for making the page on a busy machine.
    expectWithin(5000, since);
  }
  expect(await product.metric('clipferry_page_cache_failures_total')).toBeGreaterThanOrEqual(3);
});

test.runIf(isAudit && hasRedis)('a restarted cache with Redis behind it has its former pages', async () => {
  const redis = await makeRedisPlace();
  ended.push(redis.remove);
  const line = await openFaultyLine(redis);
  ended.push(line.close);
  const env = { REDIS_PREFIX: redis.environment.REDIS_PREFIX, REDIS_URL: `redis://127.0.0.1:${line.port}` };
  const [one, other] = [await startPageCache(env), await startPageCache(env)];
  const set = (cache: string, key: string) =>
    fetch(`${cache}/set?key=${key}&ts=7`, { method: 'POST', body: `<p>${key}` });
  const get = async (cache: string, key: string) => {
    const answer = await fetch(`${cache}/get?key=${key}`);
    return [answer.status, await answer.text(), answer.headers.get('x-page-version')];
  };
  await set(one, 'a');
  // On a busy machine Redis may briefly count as silent.
  await expect.poll(() => get(other, 'a')).toEqual([200, '<p>a', '7']);
  const third = await startPageCache(env);
  await expect.poll(() => get(third, 'a')).toEqual([200, '<p>a', '7']);
  await fetch(`${other}/del?key=a`, { method: 'POST' });
  expect((await get(one, 'a'))[0]).toBe(404);

  // Without Redis it has no pages; afterwards it shows none that was dropped meanwhile.
  await set(one, 'b');
  line.lose();
  await expect.poll(async () => (await get(one, 'b'))[0], { timeout: 8000 }).toBe(404);
  await fetch(`${one}/del?key=b`, { method: 'POST' });
  line.resume();
  await expect
    .poll(
      async () => {
        await set(one, 'c');
        return get(other, 'c');
      },
      { timeout: 8000 },
    )
    .toEqual([200, '<p>c', '7']);
  expect([(await get(one, 'b'))[0], (await get(other, 'b'))[0]]).toEqual([404, 404]);
});
