import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import webPush from 'web-push';
import { devicePublicKey } from './endpoints.ts';

const isKey = (bytes: Uint8Array) =>
  devicePublicKey.safeParse(Buffer.from(bytes).toString('base64url')).success;

const point = () => Buffer.from(createECDH('prime256v1').generateKeys());

test('accepts keys that browsers make, padded or not', () => {
  const key = point().toString('base64url');
  for (const text of [key, `${key}=`]) expect(devicePublicKey.safeParse(text).success).toBe(true);
});

test.each([
  ['made up', Buffer.from([4, ...Array(64).fill(7)])],
  ['zeros', Buffer.alloc(65)],
  ['the point at infinity, as far as it can be written', Buffer.from([4, ...Array(64).fill(0)])],
  ['beyond the field', Buffer.alloc(65, 0xff)],
  [
    'in the hybrid form',
    (() => {
      const key = point();
      key[0] = 6 + ((key[64] ?? 0) & 1);
      return key;
    })(),
  ],
  [
    'with a wrong last bit',
    (() => {
      const key = point();
      key[64] = (key[64] ?? 0) ^ 1;
      return key;
    })(),
  ],
])('refuses a key that is %s', (_, key) => {
  expect(isKey(key)).toBe(false);
});

test('every accepted key can be used for encryption', () => {
  const points = fc.bigInt({ min: 1n, max: 2n ** 255n }).map((secret) => {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(secret.toString(16).padStart(64, '0'), 'hex');
    return Buffer.from(pair.getPublicKey());
  });
  const damaged = fc.tuple(points, fc.nat(64), fc.nat(255)).map(([key, at, value]) => {
    key[at] = value;
    return key;
  });
  const keys = fc.oneof(points, damaged, fc.uint8Array({ minLength: 65, maxLength: 65 }));
  fc.assert(
    fc.property(keys, (key) => {
      if (!isKey(key)) return;
      const p256dh = Buffer.from(key).toString('base64url');
      const device = { endpoint: 'https://push.example/1', keys: { auth: 'BTBZMqHH6r4Tts7J_aSIgg', p256dh } };
      webPush.generateRequestDetails(device, 'text');
    }),
  );
});
