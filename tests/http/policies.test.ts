import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { Journey } from '../support/journey.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

const inert = "default-src 'none'; frame-ancestors 'none'";

const policyOf = async (path: string, init?: RequestInit): Promise<[string, string | null]> => {
  const response = await journey.get(path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return [response.headers.get('content-type') ?? '', response.headers.get('content-security-policy')];
};

/** Our files that a page links, one of each kind. */
async function namedBy(path: string): Promise<string[]> {
  const text = await (await journey.get(path)).text();
  const found = [...text.matchAll(/(?:href|src|content)="(?:https?:\/\/[^/"]+)?(\/[^"#]+\.\w+)"/g)].map(
    ([, one = '']) => one.replaceAll('&amp;', '&'),
  );
  const kinds = new Map(found.map((one) => [one.replace(/[\w-]+(?=\.\w+$)/, '*'), one]));
  return [...kinds.values()];
}

const ofOurs = [
  '/favicon.ico',
  '/favicon.svg',
  '/robots.txt',
  '/sitemap.xml',
  '/share/en.png',
  '/share/de/none.png',
  '/pictures/none.svg',
  '/api/state',
  '/api/none',
  '/api/openapi.json',
  '/api/cards',
  '/api/files/none',
  '/api/pictures/none',
  '/category/list',
  '/stars/article/recently_hot_article',
  '/.well-known/security.txt',
  '/healthz',
  '/metrics',
  '/_root.data',
  '/contact.data',
  '/en/contact',
  '/_app/none.js',
  '/index.php/sub/register',
];

test('everything that is not a page has a policy that lets nothing in it run; pages and workers have their own', async () => {
  const named = (await Promise.all(['/', '/posts', '/de/pagelink'].map(namedBy))).flat();
  const addresses = new Set([...ofOurs, ...named]);
  expect(addresses.size).toBeGreaterThan(30);
  const types = new Set<string>();
  for (const path of addresses) {
    const [type, policy] = await policyOf(path);
    types.add(type.split(';')[0] ?? '');
    if (type.startsWith('text/html'))
      expect([path, policy]).toEqual([path, expect.stringContaining('require-trusted-types-for')]);
    else expect([path, type, policy]).toEqual([path, type, inert]);
  }
  for (const type of [
    'image/svg+xml',
    'image/png',
    'application/json',
    'application/javascript',
    'text/css',
    'text/plain',
  ])
    expect([...types]).toContain(type);
  expect([...types].some((type) => type.includes('xml') && !type.includes('svg'))).toBe(true);
  expect((await policyOf('/sw.js'))[1]).toBe("default-src 'none'; connect-src 'self'");
});

test.each([
  ['POST', '/consent', { 'content-type': 'application/x-www-form-urlencoded' }, 'statistics=1'],
  ['POST', '/api/resolve', { 'content-type': 'application/json' }, '{'],
  ['POST', '/api/resolve', { 'content-type': 'text/css' }, 'x'],
  ['POST', '/api/web/report', { 'content-type': 'application/json' }, '{}'],
  ['DELETE', '/sitemap.xml', {}, undefined],
  ['OPTIONS', '/api/resolve', {}, undefined],
  ['HEAD', '/share/en.png', {}, undefined],
] as const)('%s %s has it', async (method, path, headers, body) => {
  const [, policy] = await policyOf(path, { method, headers, ...(body !== undefined && { body }) });
  expect(policy).toBe(inert);
});

test('an unchanged page keeps its own policy', async () => {
  const page = await journey.get('/contact');
  await page.arrayBuffer();
  const etag = page.headers.get('etag') ?? '';
  const again = await journey.get('/contact', { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(again.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'));
});

test.each([
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['no request', 'nothing\r\n\r\n', 400],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
    400,
  ],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n', 417],
])('errors of Node have it too: %s', async (_, text, status) => {
  const { hostname, port } = new URL(journey.product.origin);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += String(chunk);
  });
  await once(socket, 'close');
  const [head = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head.toLowerCase()).toContain(`content-security-policy: ${inert}`);
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
});
