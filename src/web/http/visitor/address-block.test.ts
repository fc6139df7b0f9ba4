import { expect, test } from 'vitest';
import { addressBlock } from './address-block.ts';

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:22ff:1:2:3:4', '2001:db8:1:2200::/56'],
  ['', 'unknown'],
  ['nowhere', 'unknown'],
])('%s is in %s', (address, block) => {
  expect(addressBlock(address)).toBe(block);
});
