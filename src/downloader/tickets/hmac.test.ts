import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmacSha256 } from './hmac.ts';

it('signs like the platform does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (key, text) => {
      expect(hmacSha256(key)(text)).toBe(createHmac('sha256', key).update(text, 'utf8').digest('base64url'));
    }),
  );
});

it('gives the answers of RFC 4231', () => {
  expect(hmacSha256(Buffer.alloc(20, 0x0b))('Hi There')).toBe(
    Buffer.from('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7', 'hex').toString(
      'base64url',
    ),
  );
  expect(hmacSha256(Buffer.from('Jefe'))('what do ya want for nothing?')).toBe(
    Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString(
      'base64url',
    ),
  );
});

it('takes no key that would have to be hashed first', () => {
  expect(() => hmacSha256(new Uint8Array(65))).toThrow(RangeError);
});
