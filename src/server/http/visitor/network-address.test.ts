import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBlock, plainForwarded, readAddress } from './network-address.ts';
import { createVisitorHasher, ownNamingKey } from './visitor.ts';

const name = createVisitorHasher(ownNamingKey());

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['203.0.113.77:5555', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:22ff:1:2:3:4', '2001:db8:1:2200::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['', 'unknown'],
  ['nowhere', 'unknown'],
  ['203.000.113.077', 'unknown'],
])('%s is in %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});

describe('what a proxy writes as an address', () => {
  test.each([
    ['77.1.1.1:5555', '77.1.1.1'],
    ['"77.1.1.1"', '77.1.1.1'],
    ['"77.1.1.1:5555"', '77.1.1.1'],
    [' 77.1.1.1 ', '77.1.1.1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['[::ffff:77.1.1.1]:443', '77.1.1.1'],
  ])('%s is %s', (text, address) => {
    expect(readAddress(text)?.toString()).toBe(address);
    expect(name(text)).toEqual(name(address));
  });

  test.each([
    '077.001.001.001',
    '0x4d.1.1.1',
    '1292959745',
    '77.1',
    '77.1.1.1:',
    '77.1.1.1:port',
    '"77.1.1.1',
    '_me',
  ])('%s is no address, and the same visitor as any other text', (text) => {
    expect(readAddress(text)).toBeNull();
    expect(name(text)).toEqual(name('unknown'));
  });

  test('never gives one address two names, and no other text a name of its own', () => {
    const port = fc.integer({ min: 1, max: 65_535 });
    const asWritten = fc.oneof(
      fc.tuple(fc.ipV4(), port).map(([ip, at]) => [ip, `${ip}:${at}`, `"${ip}"`, `"${ip}:${at}"`]),
      fc.tuple(fc.ipV6(), port).map(([ip, at]) => [ip, `[${ip}]`, `[${ip}]:${at}`, `"[${ip}]:${at}"`]),
    );
    fc.assert(
      fc.property(asWritten, (spellings) => {
        expect(new Set(spellings.map((text) => name(text).key)).size).toBe(1);
        expect(name(spellings[0] ?? '').key).not.toBe(name('unknown').key);
        expect(new Set(spellings.map(addressBlock)).size).toBe(1);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (readAddress(text) === null) expect(name(text)).toEqual(name('unknown'));
      }),
    );
  });
});

test('a list of forwarded addresses is written plainly, whatever it holds', () => {
  expect(plainForwarded('"[2001:db8::1]:443",, 077.1.1.1, 10.1.2.3:80 ,')).toBe(
    '2001:db8::1, unknown, 10.1.2.3',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      for (const part of plainForwarded(header).split(', '))
        expect(part === '' || part === 'unknown' || readAddress(part)?.toString() === part).toBe(true);
    }),
  );
});
