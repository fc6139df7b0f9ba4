import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { decorateRequests } from './requests.ts';

interface Asked {
  readonly origin?: string;
  readonly trusted?: string[];
  readonly remoteAddress: string;
  readonly headers?: Record<string, string>;
}

/** The server's view of a request. */
async function read({ origin = 'http://site.example', trusted = [], remoteAddress, headers }: Asked) {
  const app = Fastify({ trustProxy: trusted });
  decorateRequests(app, { origin, hashVisitor: (address) => ({ key: address, block: '' }) });
  app.get('/', ({ visitor, host, isSecure }) => ({ address: visitor.key, host, isSecure }));
  const response = await app.inject({
    url: '/',
    remoteAddress,
    headers: { host: 'asked.example', ...headers },
  });
  return response.json<{ address: string; host: string; isSecure: boolean }>();
}

test('only the connection counts without trusted proxies', async () => {
  const headers = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  expect(await read({ remoteAddress: '10.0.0.1', headers })).toEqual({
    address: '10.0.0.1',
    host: 'asked.example',
    isSecure: false,
  });
});

test.each([
  ['https://site.example', 'site.example', 'http', true],
  ['https://site.example', 'SITE.example', 'http', true],
  ['https://site.example', '127.0.0.1:3000', 'http', false],
  ['https://site.example', 'www.site.example', 'https', true],
  ['http://site.example', 'site.example', 'http', false],
])('the site %s requested as %s over %s is encrypted: %s', async (origin, host, protocol, expected) => {
  const headers = { host, 'x-forwarded-proto': protocol };
  const { isSecure } = await read({ origin, trusted: ['10.0.0.1'], remoteAddress: '10.0.0.1', headers });
  expect(isSecure).toBe(expected);
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
    ['127.0.0.1', '203.0.113.7:5555, 10.1.2.3:80', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1, "[2001:db8::7]:443", 10.1.2.3', '2001:db8::7'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.007, 10.1.2.3', 'unknown'],
    ['203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ])('from %s that forwards for %j is %s', async (remoteAddress, header, expected) => {
    const trusted = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];
    const headers = { 'x-forwarded-for': header };
    expect(await read({ trusted, remoteAddress, headers })).toMatchObject({ address: expected });
  });
});
