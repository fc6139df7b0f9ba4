import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { expectWithin, isAudit, sample } from '../support/audit/scope.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { makeDataFolder, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.stop());

/** Runs the start script with a wrong environment; it must end by itself. */
function startWith(env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const folder = makeDataFolder();
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/app/web.js'],
      { env: { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: folder, ...env }, timeout: 50_000 },
      (error, out, output) => {
        rmSync(folder, { recursive: true });
        resolve({ code: error?.code ?? error?.signal ?? 0, output: out + output });
      },
    );
  });
}

/** The status of `/metrics`, requested under another host name. */
async function statusWithHost(origin: string, host: string): Promise<number> {
  const asking = request(`${origin}/metrics`, { headers: { host }, setHost: false });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

describe('what an operator watches', () => {
  test('is alive and ready', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await journey.get(path)).status).toBe(200);
  });

  test('the metrics report what the process uses', async () => {
    for (const [name, least, most] of [
      ['process_cpu_seconds_total', 0.1, 1000],
      ['process_resident_memory_bytes', 50e6, 1e9],
      ['nodejs_heap_size_used_bytes', 10e6, 1e9],
      ['process_start_time_seconds', Date.now() / 1000 - 600, Date.now() / 1000 + 1],
      ['nodejs_eventloop_utilization', 0, 1],
    ] as const) {
      const value = await journey.product.metric(name);
      expect(value, name).toBeGreaterThanOrEqual(least);
      expect(value, name).toBeLessThanOrEqual(most);
    }
    const before = await journey.product.metric('process_cpu_user_seconds_total');
    await Promise.all(Array.from({ length: 50 }, (_, n) => journey.get(`/?n=${n}`)));
    expect(await journey.product.metric('process_cpu_user_seconds_total')).toBeGreaterThan(before);
    for (const name of ['p50', 'p90', 'p99', 'max', 'mean'])
      expect(await journey.product.metric(`nodejs_eventloop_lag_${name}_seconds`)).toBeGreaterThan(0);
  });

  test('the metrics are for callers on this machine, not for those behind a proxy', async () => {
    const response = await journey.get('/metrics');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('# TYPE clipferry_conversions_asked_total counter');
    for (const [name, value] of [
      ['x-forwarded-for', '203.0.113.7'],
      ['forwarded', 'for=203.0.113.7'],
      ['x-real-ip', '203.0.113.7'],
      ['x-forwarded-proto', 'https'],
      ['x-forwarded-host', 'clipferry.example'],
      ['via', '1.1 proxy'],
    ] as const) {
      const answer = await journey.get('/metrics', { headers: { [name]: value } });
      expect([name, answer.status]).toEqual([name, 404]);
      expect(await answer.text()).not.toContain('clipferry_conversions');
    }
    // A proxy without headers of its own passes on the requested host.
    for (const host of ['clipferry.example', 'localhost.example', '127.0.0.1.example', '192.0.2.1', ''])
      expect([host, await statusWithHost(journey.product.origin, host)]).not.toEqual([host, 200]);
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1', '[::1]:80'])
      expect([host, await statusWithHost(journey.product.origin, host)]).toEqual([host, 200]);
  });

  test('Prometheus reads the shipped unit at the documented address, and the metrics are nowhere else', async () => {
    const [, set = ''] =
      /^Environment=(.*)$/m.exec(readFileSync('deploy/systemd/clipferry.service', 'utf8')) ?? [];
    const { DATA_DIR, ...shipped } = Object.fromEntries(set.split(' ').map((text) => text.split('=')));
    const documented = /the target is `127\.0\.0\.1:(\d+)`/.exec(readFileSync('docs/operating.md', 'utf8'));
    expect(shipped).toMatchObject({ HOST: '127.0.0.1', METRICS_PORT: String(documented?.[1]) });
    // Another program may have the documented port.
    const port = await freePort();
    const other = await startProduct({ env: { ...shipped, METRICS_PORT: String(port) } });
    const there = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([there.status, there.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await there.text()).toContain('# TYPE clipferry_conversions_asked_total counter');
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`${other.origin}/metrics`)).status).toBe(404);
    expect(await startWith({ METRICS_PORT: String(port) })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^METRICS_PORT: .*EADDRINUSE/m),
    });
    expect(await other.stop()).toBe(0);
  });

  test('the metrics are not for a trusted proxy', { skip: !isAudit }, async () => {
    const other = await startProduct({ env: { TRUST_PROXY: '127.0.0.0/8', METRICS_PORT: '' } });
    expect((await fetch(`${other.origin}/metrics`)).status).toBe(404);
    await other.stop();
  });

  // One of those that are read from the environment (its unit test has them all), and each that fails later.
  const wrong: readonly (readonly [string, string])[] = [
    ['PORT', 'eighty'],
    ['SECRET_KEY', 'too short'],
    ['SITE_ORIGIN', 'https://example.org/path'],
    ['FFMPEG_PATH', '/nowhere/ffmpeg'],
    ['SITE_CONFIG', 'README.md'],
    ['DATA_DIR', '/etc/passwd'],
    ['HOST', '192.0.2.1'],
    ['TRUST_PROXY', 'everyone'],
    ['HONOUR_DOWNLOAD_SETTING', 'perhaps'],
    ['NODE_EXTRA_CA_CERTS', 'README.md'],
  ];
  test.each(sample(wrong, ([name]) => ['SECRET_KEY', 'SITE_CONFIG'].includes(name)))(
    'a wrong %s stops the start with one line that names it',
    async (name, value) => {
      const { code, output } = await startWith({ [name]: value });
      expect(code).toBe(1);
      const lines = output
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('{'));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(new RegExp(`^${name}: .`));
      if (name === 'SECRET_KEY') expect(output).not.toContain(value);
    },
  );

  test('a port in use stops the start with one line that names it', { skip: !isAudit }, async () => {
    const { code, output } = await startWith({ PORT: new URL(journey.product.origin).port });
    expect(code).toBe(1);
    expect(output).toMatch(/^PORT: .*EADDRINUSE/m);
    expect(output).not.toContain('starter articles imported');
  });
});

describe('what every visitor gets', () => {
  test('the description of the API names paths that exist', async () => {
    const response = await journey.get('/api/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { openapi, paths } = (await response.json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(openapi).toMatch(/^3\.1\./);
    const asked = Object.entries(paths).flatMap(([path, item]) =>
      ['get', 'post', 'delete'].filter((method) => method in item).map((method) => [method, path] as const),
    );
    expect(asked).toHaveLength(18);
    const wrong = (path: string) =>
      path === '/api/state' ? `${path}?path=x` : path.replace('{ticket}', 'none');
    for (const [method, path] of asked) {
      // They check no input.
      if (path === '/api/status' || path.endsWith('/arrival')) continue;
      const answer = await journey.get(wrong(path), { method: method.toUpperCase() });
      // A path that does not exist has another key.
      const { error } = (await answer.json()) as { error: { key: string } };
      expect(`${path} ${error.key}`).toBe(
        `${path} ${path.includes('{ticket}') ? 'ticket_invalid' : 'request_invalid'}`,
      );
    }
  });

  test.each(['/', '/tiktok-downloader', '/api/openapi.json', '/no-such-page', '/healthz'])(
    '%s comes with the headers that keep a browser safe',
    async (path) => {
      const answer = await journey.get(path);
      // An unread response still runs when the product is to stop.
      await answer.arrayBuffer();
      const { headers } = answer;
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    },
  );

  test('a page runs its own scripts only', async () => {
    const page = await journey.get('/');
    await page.arrayBuffer();
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'(?: 'sha256-[^']+')*$/);
    expect(policy).not.toContain('unsafe');
    expect((await journey.get('/api/openapi.json')).headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });
});

describe('a stop', () => {
  test('ends an idle instance with 0 without waiting for anybody, whoever still holds a connection', {
    skip: !isAudit,
  }, async () => {
    const other = await startJourney({ platform: journey.platform });
    const { hostname, port } = new URL(other.product.origin);
    // An idle keep-alive connection; a preconnected one, as browsers open; one in the middle of a request.
    const pages = await Promise.all(Array.from({ length: 60 }, () => other.get('/')));
    for (const page of pages) await page.arrayBuffer();
    const file = await other.get(await other.href('ordinary', 'mp3'));
    await file.arrayBuffer();
    const texts = [
      '',
      'GET / HTTP/1.1\r\n',
      'POST /api/resolve HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    ];
    const sockets = await Promise.all(
      texts.map(async (text) => {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(text);
        return socket;
      }),
    );
    // An event stream of a conversion ends, and does not delay the stop either.
    const events = await other.get(`${await other.href('long-60s', 'mp3')}/status`, {
      headers: { accept: 'text/event-stream' },
    });
    const since = performance.now();
    expect(await other.product.stop()).toBe(0);
    // Far less than the 30 s that running downloads are given.
    expectWithin(10_000, since);
    expect(await events.text()).toContain('"state":"idle"');
    for (const socket of sockets) socket.destroy();
    await other.stop();
  });

  test('lets a busy instance refuse newcomers, finish the download, and end with 0', async () => {
    const expected = (await (await journey.get(await journey.href('ordinary', 'mp4'))).arrayBuffer())
      .byteLength;
    const other = await startJourney({ platform: journey.platform });
    const href = await other.href('ordinary', 'mp4');
    await journey.platform.configure({ posts: { ordinary: { bandwidthBps: 6_000_000 } } });
    const response = await other.get(href);
    const whole = response.arrayBuffer();
    const ended = other.product.stop();
    await until('stopping', () =>
      other.product.log().some((line) => String(line.msg).startsWith('stopping')),
    );
    const newcomer = await other.get('/').then(
      ({ status }) => status,
      () => 'refused',
    );
    expect(['refused', 503]).toContain(newcomer);
    expect(other.product.log().some((line) => line.msg === 'stopped')).toBe(false);
    expect((await whole).byteLength).toBe(expected);
    expect(await ended).toBe(0);
    await other.stop();
    await journey.platform.configure({ posts: { ordinary: { bandwidthBps: null } } });
  });
});
