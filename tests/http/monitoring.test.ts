import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MonitoringServer, startMonitoringServer } from '../support/monitoring-server.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { rawRequest } from '../support/raw-request.ts';
import { sharedJourney } from '../support/shared-journey.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

let server: MonitoringServer;
let product: RunningProduct;
beforeAll(async () => {
  server = await startMonitoringServer();
  const SITE_CONFIG = siteFile({
    // The step does not exist: every page fails.
    route_steps: ['access-log', 'no-such-step', 'injection-store', 'route'],
    monitoring: {
      environment: 'test',
      keys: { 'a.example': { mobile: 'mobilekey/8', desktop: 'desktopkey' } },
      default_keys: { mobile: 'anymobile' },
    },
  });
  product = await startProduct({
    env: {
      ...{ SENTRY_DSN: server.dsn, SITE_CONFIG, SITE_ORIGIN: 'https://site.example' },
      TRUST_PROXY: '127.0.0.1',
    },
  });
});
afterAll(async () => {
  await product.stop();
  server.close();
});

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';

/** A visitor's stored, typed and requested values: none of them may arrive. */
const private_ = {
  link: 'https://www.tiktok.com/@some.one/video/7615133378163811813',
  shared: 'vm.tiktok.com/ZMabcdefg/',
  ticket: '1.v.7615133378163811813.0.aBcD.9zz3.QmFzZTY0VXJsTWFjT2YxNDRi',
  mail: 'jane.doe@mail.example',
  cookie: 'cookie-value-of-this-visitor',
  address: '198.51.100.23',
  address6: '2001:db8:85a3::8a2e:370:7334',
  message: 'Hello, please call me back about my video',
};
/** Parts of the same that must not arrive either. */
const traces = [
  ...Object.values(private_),
  ...['tiktok', 'some.one', '7615133378163811813', 'QmFzZTY0VXJsTWFjT2YxNDRi', 'ZMabcdefg'],
  ...['jane', 'call me back', '2001:db8'],
];

const id = 'a'.repeat(32);
const event = (fields: object = {}) => ({
  event_id: id,
  timestamp: 1_790_000_000,
  platform: 'javascript',
  exception: { values: [{ type: 'TypeError', value: 'x is not a function' }] },
  ...fields,
});
const envelope = (...items: readonly (readonly [string, object | string])[]) =>
  [
    JSON.stringify({ event_id: id, dsn: 'https://other@evil.example/1', trace: { user_id: private_.mail } }),
    ...items.flatMap(([type, payload]) => {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      return [JSON.stringify({ type, length: Buffer.byteLength(text) }), text];
    }),
  ].join('\n');

let visitors = 0;
/** From another visitor each time. */
function post(body: string, headers: Record<string, string> = {}) {
  visitors += 1;
  return fetch(`${product.origin}/api/monitoring`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'user-agent': phone,
      'x-forwarded-for': `10.0.${visitors}.1`,
      ...headers,
    },
  });
}

async function arrived(body: string, headers?: Record<string, string>) {
  server.reports.length = 0;
  const response = await post(body, headers);
  expect([response.status, await response.json()]).toEqual([200, {}]);
  await until('the report arrives', () => server.reports.length > 0);
  const [report] = server.reports;
  if (report === undefined) throw new Error('nothing arrived');
  return report;
}

test('a browser’s report reaches only the configured server, with its place in the program', async () => {
  const frame = {
    filename: 'https://site.example/_app/route-abc.js?x=1',
    function: 'onClick',
    lineno: 1,
    colno: 20,
    vars: { link: private_.link },
  };
  const { project, key, items } = await arrived(
    envelope([
      'event',
      event({
        exception: {
          values: [{ type: 'TypeError', value: 'x is not a function', stacktrace: { frames: [frame] } }],
        },
        request: { url: `https://site.example/de/contact?q=${private_.mail}` },
        release: 'forged',
      }),
    ]),
  );
  expect([project, key]).toEqual(['7', 'anymobile']);
  expect(items).toEqual([
    {
      type: 'event',
      payload: {
        event_id: id,
        timestamp: 1_790_000_000,
        platform: 'javascript',
        release: expect.stringMatching(/^\d+$/) as string,
        environment: 'test',
        tags: { device: 'mobile', os: 'ios', browser: 'safari' },
        request: { url: 'https://site.example/de/contact' },
        exception: {
          values: [
            {
              type: 'TypeError',
              value: 'x is not a function',
              stacktrace: {
                frames: [
                  {
                    filename: 'https://site.example/_app/route-abc.js',
                    ...{ function: 'onClick', lineno: 1, colno: 20 },
                  },
                ],
              },
            },
          ],
        },
      },
    },
  ]);
});

test.each([
  ['a.example', phone, 'mobilekey', '8'],
  ['a.example:8443', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'desktopkey', '7'],
  ['b.example', phone, 'anymobile', '7'],
  ['b.example', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'ownkey', '7'],
])('the key for %s and %s', async (host, agent, key, project) => {
  server.reports.length = 0;
  await rawRequest(product.origin, '/api/monitoring', {
    method: 'POST',
    headers: { host, 'user-agent': agent, 'content-type': 'text/plain' },
    body: envelope(['event', event()]),
  });
  await until('the report arrives', () => server.reports.length > 0);
  expect([server.reports[0]?.key, server.reports[0]?.project]).toEqual([key, project]);
});

/** Every place of an event that can contain a text. */
function eventWith(text: string) {
  return event({
    message: text,
    transaction: text,
    culprit: text,
    server_name: text,
    user: { id: text, ip_address: text, email: text },
    breadcrumbs: [{ message: text, data: { url: text } }],
    extra: { text },
    tags: { text, locale: text },
    contexts: {
      trace: { trace_id: id, span_id: 'b'.repeat(16), op: text, data: { url: text } },
      app: { text },
    },
    request: { url: text, query_string: text, cookies: text, headers: { cookie: text }, data: text },
    exception: {
      values: [
        {
          type: text,
          value: `Cannot load ${text} (400)`,
          mechanism: { type: text, data: { text } },
          stacktrace: {
            frames: [{ filename: text, function: text, abs_path: text, context_line: text, vars: { text } }],
          },
        },
      ],
    },
    spans: [
      {
        trace_id: id,
        span_id: 'c'.repeat(16),
        description: `GET ${text}`,
        start_timestamp: 1,
        timestamp: 2,
        data: { 'http.url': text },
      },
    ],
  });
}

test.each([
  ['link', private_.link],
  ['link in a query', `https://site.example/?url=${encodeURIComponent(private_.link)}`],
  ['link without a scheme', private_.shared],
  ['ticket', private_.ticket],
  ['file', `/api/files/${private_.ticket}`],
  ['picture of this site', `https://site.example/api/pictures/${private_.ticket}/backend?at=x`],
  ['mail address', private_.mail],
  ['cookie', private_.cookie],
  ['network address', private_.address],
  ['network address, version 6', private_.address6],
  ['message', `"${private_.message}"`],
])('no %s of a visitor arrives', async (_, text) => {
  const shown = [
    { type: 4, data: { href: text, width: 1, height: 1 }, timestamp: 1 },
    {
      type: 2,
      data: {
        node: {
          type: 2,
          tagName: 'a',
          attributes: { href: text, title: text, alt: text, class: 'button', 'data-x': text },
          childNodes: [{ type: 3, textContent: text, id: 3 }],
          id: 2,
        },
      },
      timestamp: 2,
    },
    { type: 3, data: { source: 5, text, isChecked: false, id: 4 }, timestamp: 3 },
    { type: 5, data: { tag: 'breadcrumb', payload: { message: text } }, timestamp: 4 },
  ];
  const replay = {
    ...{
      type: 'replay_event',
      event_id: id,
      replay_id: id,
      segment_id: 0,
      timestamp: 1,
      replay_type: 'session',
    },
    ...{ urls: [text], error_ids: [], trace_ids: [], user: { ip_address: text } },
  };
  const { whole, items } = await arrived(
    envelope(
      ['event', eventWith(text)],
      ['transaction', { ...eventWith(text), type: 'transaction', start_timestamp: 1 }],
      ['replay_event', replay],
      ['replay_recording', `{"segment_id":0}\n${JSON.stringify(shown)}`],
      ['attachment', text],
      ['user_report', { comments: text }],
    ),
    { cookie: `lang=de; token_id=${private_.cookie}` },
  );
  expect(items.map(({ type }) => type)).toEqual(['event', 'transaction', 'replay_event', 'replay_recording']);
  for (const trace of traces) expect(whole).not.toContain(trace);
  expect(whole).not.toContain(phone);
  // The remaining report is still useful.
  expect(whole).toContain('Cannot load ');
  expect(whole).toContain('"class":"button"');
});

test('a recording stays readable when a cookie contains the digits of a number or a name in it', async () => {
  const moved = { type: 3, data: { source: 1, positions: [{ x: 31.105, y: 2, id: 4 }] }, timestamp: 3 };
  const { items } = await arrived(
    envelope(['replay_recording', `{"segment_id":0}\n${JSON.stringify([moved])}`]),
    { cookie: 'consent=1.10; other=positions' },
  );
  expect(items[0]?.payload).toEqual([moved]);
});

test.each([
  ['from another site', envelope(['event', event()]), { 'sec-fetch-site': 'cross-site' }, 403],
  ['that is none', 'nothing', {}, 400],
  ['with another event', envelope(['event', { event_id: 'x' }]), {}, 400],
  ['that is too large', 'x'.repeat(600_000), {}, 413],
])('refuses a report %s', async (_, body, headers, status) => {
  server.reports.length = 0;
  expect((await post(body, headers)).status).toBe(status);
  expect(server.reports).toEqual([]);
});

test('reports an error of this server with the id of its request, and nothing about its visitor', async () => {
  server.reports.length = 0;
  const response = await fetch(`${product.origin}/de?url=${encodeURIComponent(private_.link)}`, {
    headers: { cookie: `token_id=${private_.cookie}`, 'user-agent': phone },
  });
  expect(response.status).toBe(500);
  await until('the report arrives', () => server.reports.length > 0);
  const [report] = server.reports;
  expect([report?.key, report?.items[0]?.payload]).toEqual([
    'ownkey',
    expect.objectContaining({
      ...{ platform: 'node', level: 'error', environment: 'test' },
      tags: { request_id: response.headers.get('x-request-id') },
    }),
  ]);
  expect(report?.whole).toContain('no-such-step');
  expect(report?.whole).toMatch(/"filename":"app:\/\/\/src\/(?:app|features|server)\/[\w/-]+\.ts"/);
  for (const trace of [...traces, phone, '127.0.0.1:'.repeat(2)]) expect(report?.whole).not.toContain(trace);
});

test('a server that redirects reports, or is full, gets no more, and visitors notice nothing', async () => {
  const failed = () => product.metric('clipferry_monitoring_reports_total', { result: 'failed' });
  const before = await failed();
  server.status = 307;
  expect((await post(envelope(['event', event()]))).status).toBe(200);
  await until('it has failed', async () => (await failed()) > before);
  server.status = 429;
  const refused = () => product.metric('clipferry_monitoring_reports_total', { result: 'refused' });
  expect((await post(envelope(['event', event()]))).status).toBe(200);
  await until('it is refused', async () => (await refused()) === 1);
  // Within the protocol's own minute.
  const dropped = () => product.metric('clipferry_monitoring_reports_total', { result: 'dropped' });
  expect((await post(envelope(['event', event()]))).status).toBe(200);
  await until('it is dropped', async () => (await dropped()) === 1);
  expect(await refused()).toBe(1);
  server.status = 200;
});

test('refuses a visitor who reports endlessly, and asks for a wait of seconds', async () => {
  const report = () => post(envelope(['client_report', {}]), { 'x-forwarded-for': '192.0.2.1' });
  for (let n = 0; n < 10; n += 1) expect((await report()).status).toBe(200);
  const refused = await report();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
});

test('does not read a recording that would take long to clean, but counts it', async () => {
  server.reports.length = 0;
  const data = `["${private_.cookie}"${',"a"'.repeat(110_000)}]`;
  const recording = `{"segment_id":0}\n[{"type":3,"data":${data}}]`;
  const cookie = Array.from({ length: 55 }, (_, n) => `c${n}=${private_.cookie}${n || ''}`).join('; ');
  expect((await post(envelope(['replay_recording', recording]), { cookie })).status).toBe(200);
  expect(await product.metric('clipferry_monitoring_reports_total', { result: 'oversized' })).toBe(1);
  expect(server.reports).toEqual([]);
});

test('without a server there is no such address, and no trace of it on a page', async () => {
  const { product: plain } = await sharedJourney();
  const response = await fetch(`${plain.origin}/api/monitoring`, { method: 'POST', body: envelope() });
  expect(response.status).toBe(404);
  const page = await (await fetch(plain.origin)).text();
  expect(page).not.toContain('earlyErrors');
  expect(page).not.toContain('monitoring');
});
