import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { makeCertificate } from '../../../../downloader/network/testing/certificate.ts';
import type { CheckContext } from '../../../../server/commands/checks.ts';
import { certificateFinding, front } from './addresses.ts';

const dayMs = 86_400_000;
const ours = {
  'content-security-policy': "default-src 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

let server: Server | null = null;
afterEach(() => server?.close());

async function checkFront(answer: RequestListener) {
  server = createServer(await makeCertificate(['localhost']), answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return front.run({ origin, signal: AbortSignal.timeout(10_000) } as CheckContext);
}

test('recognises a page of this site by its headers, and reports a certificate that browsers refuse as an error', async () => {
  const found = await checkFront((_, response) => response.writeHead(200, ours).end());
  expect(found).toMatchObject([
    { of: 'page', level: 'ok' },
    { of: 'certificate', level: 'error', what: expect.stringMatching(/SELF_SIGNED/) as string },
    { of: 'http' },
  ]);
});

test('a page without our headers belongs to another site', async () => {
  const { 'referrer-policy': _, ...some } = ours;
  const found = await checkFront((_request, response) => response.writeHead(200, some).end());
  expect(found[0]).toMatchObject({
    level: 'error',
    what: expect.stringMatching(/without referrer-policy$/) as string,
  });
});

test('an error page is an error', async () => {
  const found = await checkFront((_, response) => response.writeHead(502, ours).end());
  expect(found[0]).toMatchObject({
    of: 'page',
    level: 'error',
    what: expect.stringMatching(/502$/) as string,
  });
});

test.each([
  [1, 'error'],
  [10, 'warning'],
  [60, 'ok'],
])('a certificate with %i days left: %s', (days, level) => {
  const endsAt = Date.now() + days * dayMs + 1000;
  expect(certificateFinding({ problem: null, endsAt })).toMatchObject({ level, what: `${days} days left` });
});
