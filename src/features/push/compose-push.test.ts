import crypto from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import webPush from 'web-push';
import { createPushComposer } from './compose-push.ts';
import type { PushMessage, Subscriber } from './contracts.ts';

afterEach(() => vi.restoreAllMocks());

/** RFC 8291, section 5 and appendix A. */
const example = {
  plaintext: 'When I grow up, I want to be a watermelon',
  serverPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  devicePublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('a message is encrypted as the example of RFC 8291', () => {
  const keys = crypto.createECDH('prime256v1');
  keys.setPrivateKey(Buffer.from(example.serverPrivate, 'base64url'));
  Object.assign(keys, { generateKeys: () => keys.getPublicKey() });
  vi.spyOn(crypto, 'createECDH').mockReturnValue(keys);
  vi.spyOn(crypto, 'randomBytes').mockImplementation(() => Buffer.from(example.salt, 'base64url'));
  const { body } = webPush.generateRequestDetails(
    { endpoint: 'https://push.example/1', keys: { auth: example.auth, p256dh: example.devicePublic } },
    example.plaintext,
  );
  expect(body.toString('base64url')).toBe(example.body);
});

const subscriber: Subscriber = {
  id: 1,
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/abc',
  auth: example.auth,
  pdhkey: example.devicePublic,
};
const message: PushMessage = {
  id: 7,
  title: 'Hello',
  body: 'There is news',
  url: '/posts',
  language: null,
  madeAt: 0,
  isOpen: true,
  sent: 0,
  gone: 0,
  givenUp: 0,
};

test('a request says who sends it, for how long it is kept, and what it takes the place of', () => {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  let now = Date.now();
  const compose = createPushComposer({ publicKey, privateKey, subject: 'mailto:a@site.example' }, () => now);
  const { headers } = compose(subscriber, message);
  expect(headers).toMatchObject({ TTL: '86400', Topic: 'message-7', 'Content-Encoding': 'aes128gcm' });
  const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.Authorization ?? '') ?? [];
  expect(key).toBe(publicKey);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({
    aud: 'https://updates.push.services.mozilla.com',
    sub: 'mailto:a@site.example',
  });
  // A signature is used again, and renewed long before it ends.
  expect(compose(subscriber, message).headers.Authorization).toBe(headers.Authorization);
  // Only so many are kept as there are push services: what visitors register must not fill the memory.
  const first = compose(subscriber, message).headers.Authorization;
  for (let n = 0; n < 60; n += 1)
    compose({ ...subscriber, endpoint: `https://h${n}.notify.windows.com/w` }, message);
  expect(compose(subscriber, message).headers.Authorization).not.toBe(first);
  now += 3_600_001;
  expect(compose(subscriber, message).headers.Authorization).not.toBe(headers.Authorization);
});
