import { expect, test } from 'vitest';
import { siteFor } from '../../server/pipeline/testing/route-context.ts';
import { monitoringFields, monitoringVariables } from './configuration.ts';
import { createMonitoring } from './monitoring.ts';

function monitoringAt(now: () => number) {
  const sent: string[] = [];
  const results: string[] = [];
  const monitoring = createMonitoring({
    dsn: 'https://key@errors.example/sub/42',
    configuration: monitoringFields.of(siteFor()).monitoring,
    release: '1',
    origins: ['https://site.example'],
    root: '/nowhere/',
    now,
    async fetch(url, init) {
      sent.push(`${String(url)} ${String(init?.body)}`);
      return new Response('{}');
    },
    observe: (source, result) => results.push(`${source} ${result}`),
  });
  return { monitoring, sent, results };
}

test('sends an error with its causes to the address that the DSN means', async () => {
  const { monitoring, sent, results } = monitoringAt(() => 0);
  monitoring.report(
    new Error('outer', { cause: new TypeError('inner') }),
    'e0c9d5a4-1111-4222-8333-444455556666',
  );
  monitoring.report('a text');
  await monitoring.flush(1000);
  const [first = '', second = ''] = sent;
  expect(
    first.startsWith('https://errors.example/sub/api/42/envelope/?sentry_version=7&sentry_key=key '),
  ).toBe(true);
  const event = JSON.parse(first.split('\n')[2] ?? '') as {
    exception: { values: { type: string; value: string }[] };
  };
  expect(event).toMatchObject({ tags: { request_id: 'e0c9d5a4-1111-4222-8333-444455556666' } });
  expect(event.exception.values.map(({ type, value }) => [type, value])).toEqual([
    ['TypeError', 'inner'],
    ['Error', 'outer'],
  ]);
  expect(second).toContain('a text');
  expect(results).toEqual(['server sent', 'server sent']);
});

test('removes what a request’s visitor has sent from all its errors, until it is answered', async () => {
  const { monitoring, sent } = monitoringAt(() => 0);
  const body = Buffer.from(new URLSearchParams({ message: 'please call me\r\nback soon' }).toString());
  monitoring.requests.set('1', {
    headers: { cookie: 'a=some-cookie', referer: 'https://x.example/?q=asked%20before' },
    ip: '192.0.2.7',
    url: '/contact?name=Jane%20Doe',
    body,
  });
  const text = 'please call me / back soon / some-cookie / asked before / Jane Doe / Jane%20Doe / 192.0.2.7';
  monitoring.report(new Error(`no: ${text}`), '1');
  await monitoring.flush(1000);
  for (const own of text.split(' / ')) expect(sent[0]).not.toContain(own);
  expect(sent[0]).toContain('no: […]');
});

test('reports some errors each minute when everything fails', async () => {
  let time = 0;
  const { monitoring, results } = monitoringAt(() => time);
  for (let n = 0; n < 100; n += 1) {
    monitoring.report(new Error('database away'));
    await monitoring.flush(1000);
  }
  expect(results.filter((one) => one === 'server sent')).toHaveLength(60);
  expect(results.filter((one) => one === 'server dropped')).toHaveLength(40);
  time = 60_000;
  monitoring.report(new Error('still away'));
  await monitoring.flush(1000);
  expect(results.at(-1)).toBe('server sent');
});

test.each([
  [{ keys: { 'a.example': { mobile: 'not a key' } } }, 'monitoring.keys.a.example.mobile'],
  [{ keys: { 'a.example': { tablet: 'key' } } }, 'monitoring.keys.a.example'],
  [{ session_sample_rate: 2 }, 'monitoring.session_sample_rate'],
  [{ environment: 'two words' }, 'monitoring.environment'],
  [{ dsn: 'https://key@errors.example/1' }, 'monitoring'],
])('refuses the configuration %j by its place', (monitoring, place) => {
  expect(() => siteFor({ monitoring })).toThrow(`\n  ${place}: `);
});

test('uses the rates of the specification by default', () => {
  expect(monitoringFields.of(siteFor()).monitoring).toMatchObject({
    environment: 'production',
    ...{ session_sample_rate: 0.1, error_session_sample_rate: 1, trace_sample_rate: 1 },
  });
});

test.each([
  'errors.example/42',
  'https://errors.example/42',
  'https://key@errors.example/',
  'https://key@errors.example/42?x=1',
  'ftp://key@errors.example/42',
])('%s is no address of a monitoring server', (SENTRY_DSN) => {
  expect(monitoringVariables.problems({ SENTRY_DSN })).toHaveProperty('SENTRY_DSN');
});
