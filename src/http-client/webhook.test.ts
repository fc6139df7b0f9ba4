import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { createConnections } from '../downloader/network/connections.ts';
import { postWebhook, signatureOf, WebhookError } from './webhook.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Call {
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

async function startReceiver(status: number, headers: Record<string, string> = {}) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    calls.push({ url: request.url, headers: request.headers, body });
    if (status !== 0) response.writeHead(status, headers).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

function options(url: string, secret?: string) {
  const dispatcher = new Agent();
  ends.push(() => dispatcher.destroy());
  return { url, secret, dispatcher, timeoutMs: 500, now: () => 1_790_000_000_500 };
}

test('a message is signed together with its time', async () => {
  const { calls, url } = await startReceiver(204);
  await postWebhook(options(url, 'a secret of many letters'), 'site-7', { text: 'ü' });
  const [call] = calls;
  expect(call?.body).toBe('{"text":"ü"}');
  expect(call?.headers['content-type']).toBe('application/json');
  expect(call?.headers['x-clipferry-delivery']).toBe('site-7');
  const signature = signatureOf('a secret of many letters', call?.body ?? '', 1_790_000_000_000);
  expect(call?.headers['x-clipferry-signature']).toBe(signature);
  // As a receiver would compute it.
  const own = createHmac('sha256', 'a secret of many letters').update('1790000000.{"text":"ü"}');
  expect(signature).toBe(`t=1790000000,v1=${own.digest('hex')}`);
});

test('does not follow a redirect, and counts it as a failure like every other status', async () => {
  const target = await startReceiver(200);
  for (const status of [302, 307, 404, 500]) {
    const { url } = await startReceiver(status, { location: target.url });
    await expect(postWebhook(options(url), '1', {})).rejects.toThrow(`the webhook answered ${status}`);
  }
  expect(target.calls).toEqual([]);
});

test('gives up on a receiver that does not answer', async () => {
  const { url } = await startReceiver(0);
  await expect(postWebhook({ ...options(url), timeoutMs: 50 }, '1', {})).rejects.toThrow(WebhookError);
});

test('does not contact private addresses, by number or by name', async () => {
  const { calls, url } = await startReceiver(200);
  const dispatcher = createConnections({
    ...{ proxy: {}, connectTimeoutMs: 500, headersTimeoutMs: 500, connections: 1 },
  });
  ends.push(() => dispatcher.destroy());
  for (const address of [url, url.replace('127.0.0.1', 'localhost')])
    await expect(postWebhook({ ...options(address), dispatcher }, '1', {})).rejects.toThrow(WebhookError);
  expect(calls).toEqual([]);
});
