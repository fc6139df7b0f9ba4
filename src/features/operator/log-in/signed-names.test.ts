import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCookie } from '../../../server/http/visitor/cookies.ts';
import { createSignedNames } from './signed-names.ts';

const key = randomBytes(32);
const now = () => 1_700_000_000_000;
const names = createSignedNames(key, 'session', now);

describe('a signed name', () => {
  test('is read from the text it was given with, and is unique', () => {
    const one = names.make(1000);
    expect(names.read(one.text)).toEqual({ name: one.name, endsAt: now() + 1000 });
    expect(names.make(1000).name).not.toBe(one.name);
  });

  test('expires at its end', () => {
    const { text } = names.make(1000);
    expect(createSignedNames(key, 'session', () => now() + 999).read(text)).not.toBeNull();
    expect(createSignedNames(key, 'session', () => now() + 1000).read(text)).toBeNull();
  });

  test('is refused with another key or kind', () => {
    const { text } = names.make(1000);
    expect(createSignedNames(randomBytes(32), 'session', now).read(text)).toBeNull();
    expect(createSignedNames(key, 'device', now).read(text)).toBeNull();
  });

  test('cannot be lengthened', () => {
    const [name, , signature] = names.make(1000).text.split('.');
    expect(names.read(`${name}.${(now() + 9_000_000).toString(36)}.${signature}`)).toBeNull();
  });

  test('is not in any other text, whatever the text is', () => {
    const { text } = names.make(1000);
    const sign = fc.constantFrom(...'abcXYZ019-_.=;, \u0000é');
    fc.assert(
      fc.property(fc.nat(text.length - 2), sign, (at, other) => {
        fc.pre(text[at] !== other);
        expect(names.read(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => names.read(any) === null));
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\w-]{22}\.[0-9a-z]{1,9}\.[\w-]{43}$/),
        (any) => names.read(any) === null,
      ),
    );
  });

  test('is found among any cookies that a browser sends, and nothing else is', () => {
    const { text, name } = names.make(1000);
    const other = fc.stringMatching(/^[!#$%&'*+.^`|~\w-]{1,10}=[!-+\--:<-~]{0,20}$/);
    fc.assert(
      fc.property(fc.array(other, { maxLength: 5 }), fc.array(other, { maxLength: 5 }), (before, after) => {
        fc.pre(before.every((cookie) => !cookie.startsWith('operator-session=')));
        const header = [...before, `operator-session=${text}`, ...after].join('; ');
        expect(names.read(readCookie(header, 'operator-session'))?.name).toBe(name);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(names.read(readCookie(header, 'operator-session'))).toBeNull();
      }),
    );
  });
});
