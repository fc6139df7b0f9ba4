import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import webPush from 'web-push';
import { readEnvironment } from '../../process/environment.ts';
import { pushVariables } from './configuration.ts';
import { openPushSending } from './server.ts';

const { publicKey, privateKey } = webPush.generateVAPIDKeys();
const keys = {
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: 'mailto:operator@site.example',
};
const message = {
  id: 1,
  title: 'News',
  body: '',
  url: '/',
  language: null,
  madeAt: 0,
  isOpen: true,
  sent: 0,
  gone: 0,
  givenUp: 0,
};

test('does not connect to a name that leads to this machine', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sending = await openPushSending(readEnvironment(keys));
  for (const host of ['localhost', '127.0.0.1']) {
    const subscriber = {
      id: 1,
      endpoint: `https://${host}:${port}/push`,
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      pdhkey: publicKey,
    };
    expect(await sending?.deliver(subscriber, message)).toBeNull();
  }
  expect(connections).toBe(0);
  await sending?.close();
  server.close();
});

test('checks keys together', async () => {
  expect(await openPushSending(readEnvironment({}))).toBeNull();
  const other = webPush.generateVAPIDKeys().publicKey;
  await expect(openPushSending(readEnvironment({ ...keys, VAPID_PUBLIC_KEY: other }))).rejects.toThrow(
    'VAPID_PUBLIC_KEY: does not belong to VAPID_PRIVATE_KEY',
  );
  expect(() => pushVariables.read({ variables: { ...keys, VAPID_PRIVATE_KEY: 'short' } })).toThrow(
    'VAPID_PRIVATE_KEY: must be',
  );
  await expect(openPushSending(readEnvironment({ VAPID_PUBLIC_KEY: publicKey }))).rejects.toThrow(
    'VAPID_PRIVATE_KEY: must be set',
  );
  expect(() => pushVariables.read({ variables: { ...keys, VAPID_SUBJECT: 'http://a.example' } })).toThrow(
    'VAPID_SUBJECT: must be',
  );
});
