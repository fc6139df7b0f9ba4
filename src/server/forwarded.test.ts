import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { forwardedBy } from './forwarded.ts';

const asked = (remoteAddress: string, headers: Record<string, string> = {}, encrypted = false) =>
  ({
    socket: { remoteAddress, encrypted },
    headers: { host: 'asked.example', ...headers },
  }) as unknown as IncomingMessage;

const plain = new URL('http://site.example');

test('without trusted proxies the connection alone counts', () => {
  const { address, host, isSecure } = forwardedBy([], plain);
  const request = asked('10.0.0.1', {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  });
  expect([address(request), host(request), isSecure(request)]).toEqual(['10.0.0.1', 'asked.example', false]);
  expect(isSecure(asked('10.0.0.1', {}, true))).toBe(true);
});

test.each([
  ['https://site.example', 'site.example', 'http', true],
  ['https://site.example', 'SITE.example', 'http', true],
  ['https://site.example', '127.0.0.1:3000', 'http', false],
  ['https://site.example', 'www.site.example', 'https', true],
  ['http://site.example', 'site.example', 'http', false],
])('the site %s asked as %s over %s is encrypted: %s', (origin, host, protocol, expected) => {
  const { isSecure } = forwardedBy(['10.0.0.1'], new URL(origin));
  expect(isSecure(asked('10.0.0.1', { host, 'x-forwarded-proto': protocol }))).toBe(expected);
});

describe('an address', () => {
  test.each([
    ['127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['127.0.0.1', '203.0.113.7,, 10.1.2.3 ,', '203.0.113.7'],
    ['127.0.0.1', 'unknown, 10.1.2.3', 'unknown'],
    ['127.0.0.1', '10.1.2.3', '10.1.2.3'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['fd00::1%eth0', '203.0.113.7', '203.0.113.7'],
    ['203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ])('of %s that forwards for %j is %s', (remote, header, expected) => {
    const { address } = forwardedBy(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'], plain);
    expect(address(asked(remote, { 'x-forwarded-for': header }))).toBe(expected);
  });
});

test('is read as Fastify reads it', async () => {
  const trusted = ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'];
  const ours = forwardedBy(trusted, plain);
  const app = Fastify({ trustProxy: trusted });
  app.get('/', (request) => ({
    theirs: [request.ip, request.host, request.protocol === 'https'],
    ours: [ours.address(request.raw), ours.host(request.raw), ours.isSecure(request.raw)],
  }));
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('127.0.0.1', '10.1.2.3', 'fd00::1', '::ffff:10.0.0.1', 'unknown', '10.1.2.3:80', ''),
  );
  const list = (one: fc.Arbitrary<string>) =>
    fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => all.join(', '));
  const headers = fc.record(
    {
      'x-forwarded-for': list(address),
      'x-forwarded-host': list(fc.constantFrom('a.example', 'b.example:8080', ' c.example')),
      'x-forwarded-proto': list(fc.constantFrom('http', 'https')),
    },
    { requiredKeys: [] },
  );
  const remote = fc.oneof(fc.ipV4(), fc.constantFrom('127.0.0.1', '10.9.9.9', '::ffff:127.0.0.1', 'fd00::9'));
  await fc.assert(
    fc.asyncProperty(remote, headers, async (remoteAddress, sent) => {
      const answer = await app.inject({ url: '/', remoteAddress, headers: sent });
      const { theirs, ours: read } = answer.json<Record<'theirs' | 'ours', unknown[]>>();
      expect(read).toEqual(theirs);
    }),
    { numRuns: 300 },
  );
});
