import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabasePlace, engines } from '../../src/stores/contracts/testing/services/databases.ts';
import { type FaultyLine, openFaultyLine } from '../../src/stores/contracts/testing/services/faulty-line.ts';
import { importOneArticle } from '../support/articles.ts';
import { runCli } from '../support/cli.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { until } from '../support/until.ts';

const engine = engines.find(({ name }) => name === 'postgresql');

/** Ten times the limit of a response: a later one never comes. */
const mostMs = 30_000;
const message = {
  name: 'Ada',
  email: 'ada@example.org',
  subject: 'A question',
  message: 'How do I save a slideshow with its sound?',
};

describe.runIf(engine !== undefined)('a database behind a bad line', () => {
  let place: DatabasePlace;
  let line: FaultyLine;
  let journey: Journey;
  beforeAll(async () => {
    if (engine === undefined) return;
    place = await engine.makePlace();
    await importOneArticle(place.environment);
    const url = new URL(place.environment.DATABASE_URL ?? '');
    line = await openFaultyLine({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${line.port}`;
    journey = await startJourney({ env: { DATABASE_URL: url.href, MESSAGES_PER_HOUR: '1000' } });
  });
  afterAll(async () => {
    await journey?.stop();
    await line?.close();
    await place?.remove();
  });

  const write = async () => {
    const since = performance.now();
    const answer = await journey.get('/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(mostMs),
    });
    const { error } = (await answer.json()) as { error?: { key: string; message: string } };
    return { answer, error, ms: performance.now() - since };
  };

  test.each(['stall', 'lose'] as const)(
    '%s: answers arrive in time, and everything works as before afterwards',
    async (how) => {
      line[how]();
      for (const { answer, error, ms } of await Promise.all(Array.from({ length: 12 }, write))) {
        expect(answer.status).toBe(503);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(error?.message).not.toMatch(/network/i);
        expect(ms).toBeLessThan(mostMs);
      }
      line.resume();
      const { answer, ms } = await write();
      expect(answer.status).toBe(200);
      expect(ms).toBeLessThan(mostMs);
      // The polling, once a second, works again too.
      const env = { DATA_DIR: journey.product.dataFolder, ...place.environment };
      const url = journey.platform.link('ordinary');
      expect((await journey.resolve('ordinary')).status).toBe(200);
      expect((await runCli(['takedown', 'add', url], env)).code).toBe(0);
      await until('the takedown is heard of', async () => (await journey.resolve('ordinary')).status === 451);
      expect((await runCli(['takedown', 'remove', url], env)).code).toBe(0);
      await until('it is lifted', async () => (await journey.resolve('ordinary')).status === 200);
    },
  );

  test('away: cached pages come at once, and others say when to come again, as does the probe', async () => {
    const request = async (path: string) => {
      const since = performance.now();
      const answer = await journey.get(path, { signal: AbortSignal.timeout(mostMs) });
      return { answer, text: await answer.text(), ms: performance.now() - since };
    };
    const kept = await request('/posts');
    expect(kept.answer.status).toBe(200);
    expect((await request('/readyz')).answer.status).toBe(200);
    line.lose();
    // The first waits for its cookie up to the general limit, and the others not at all, so all together take far less
    // than that.
    for (const most of [mostMs, mostMs / 12, mostMs / 12]) {
      const { answer, ms } = await request('/posts');
      expect(answer.status).toBe(200);
      expect(ms).toBeLessThan(most);
    }
    for (const path of ['/view-articles', '/de/posts', '/no-such-article', '/sitemap-articles-en-1.xml']) {
      const { answer, ms } = await request(path);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(ms).toBeLessThan(2 * mostMs);
    }
    expect((await request('/de/posts')).text).toContain('Bitte versuche es in einer Minute noch einmal');
    await until('the probe says it', async () => (await request('/readyz')).answer.status === 503);
    expect((await request('/healthz')).answer.status).toBe(200);
    line.resume();
    await until('it is back', async () => (await request('/readyz')).answer.status === 200);
    expect((await request('/de/posts')).answer.status).toBe(200);
  });

  test('away: the tool works, with and without scripts', async () => {
    const url = journey.platform.link('ordinary');
    const saves = 'href="/api/files/';
    const request = async (path: string, init?: RequestInit) => {
      const since = performance.now();
      const answer = await journey.get(path, { ...init, signal: AbortSignal.timeout(mostMs) });
      return { answer, text: await answer.text(), ms: performance.now() - since };
    };
    line.lose();
    await until('the probe says it', async () => (await request('/readyz')).answer.status === 503);
    const page = await request('/fr/tiktok-downloader');
    expect(page.text).toContain('name="url"');
    expect(page.text).not.toContain('id="useful-posts"');
    const shared = await request(`/tiktok-downloader?url=${encodeURIComponent(url)}`);
    const form = await request('/tiktok-downloader', {
      method: 'POST',
      body: new URLSearchParams({ url }),
      headers: { origin: journey.product.origin },
    });
    for (const { text } of [shared, form]) expect(text).toContain(saves);
    for (const { answer, ms } of [page, shared, form]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(ms).toBeLessThan(2 * mostMs);
    }
    const file = await journey.get(await journey.href('ordinary', 'mp4'));
    expect(file.status).toBe(200);
    expect((await file.arrayBuffer()).byteLength).toBe(Number(file.headers.get('content-length')));

    line.resume();
    await until('it is back', async () => (await request('/readyz')).answer.status === 200);
    const whole = await request('/fr/tiktok-downloader');
    expect(whole.answer.headers.get('cache-control')).not.toBe('no-store');
  });

  test('replaces reset connections without a lasting failure', async () => {
    line.reset();
    await write();
    expect((await write()).answer.status).toBe(200);
  });

  test('a stop ends although the database is silent', async () => {
    line.lose();
    const waiting = write().catch(() => {});
    expect(await journey.product.stop()).toBe(0);
    await waiting;
  });
});
