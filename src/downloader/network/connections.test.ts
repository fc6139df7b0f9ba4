import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './connections.ts';

/** Written by hand from the IANA special-purpose registries, apart from the library that the check uses. */
const closedIpv4 = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  closedIpv4.addSubnet(net, bits, 'ipv4');
}
// A separate list: a rule for mapped addresses would match every IPv4 address.
const closedIpv6 = new BlockList();
for (const [net, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  closedIpv6.addSubnet(net, bits, 'ipv6');
}

const byte = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(byte, byte, byte, byte).map((parts) => parts.join('.'));
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const ipv6Prefix = fc.constantFrom(
  '0:0',
  '64:ff9b',
  '100:0',
  '2001:0',
  '2001:db8',
  '2002:7f00',
  'fc00:1',
  'fdff:1',
  'fe80:0',
  'febf:1',
  'fec0:0',
  'ff02:0',
);
const nearIpv6 = fc
  .tuple(ipv6Prefix, fc.array(group, { minLength: 6, maxLength: 6 }))
  .map(([prefix, groups]) => `${prefix}:${groups.join(':')}`);

describe('isPublicAddress', () => {
  it('never allows addresses that the registries reserve', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, fc.ipV6(), nearIpv6), (address) => {
        const inside = isIPv4(address)
          ? closedIpv4.check(address, 'ipv4')
          : closedIpv6.check(address, 'ipv6');
        return !(inside && isPublicAddress(address));
      }),
      { numRuns: 3000 },
    );
  });

  it('never allows an IPv4 address inside IPv6', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'),
        ipv4,
        (prefix, address) => !isPublicAddress(prefix + address),
      ),
    );
  });

  it('never allows a notation other than the plain one', () => {
    const notations = fc
      .tuple(byte, byte, byte, byte)
      .chain(([a, b, c, d]) =>
        fc.constantFrom(
          `${((a << 24) | (b << 16) | (c << 8) | d) >>> 0}`,
          `0x${a.toString(16)}.${b}.${c}.${d}`,
          `0${a.toString(8)}.${b}.${c}.${d}`,
          `${a}.${b}.${(c << 8) | d}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
          ` ${a}.${b}.${c}.${d}`,
        ),
      );
    fc.assert(fc.property(notations, (address) => !isPublicAddress(address)));
    fc.assert(
      fc.property(fc.string(), (text) => !isPublicAddress(text) || isIPv4(text) || text.includes(':')),
    );
  });

  it.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'fe80::1%eth0', '169.254.169.254', '255.255.255.255', ''])(
    'refuses %s',
    (address) => expect(isPublicAddress(address)).toBe(false),
  );

  it.each(['8.8.8.8', '23.1.2.3', '2606:4700::1111', '2a00:1450:4001::1'])('allows %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
