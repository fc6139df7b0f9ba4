import { expect, test } from 'vitest';
import { createVisitorNamer } from './visitor.ts';

const name = createVisitorNamer(new Uint8Array(32));

test.each([
  ['203.0.113.7', '203.0.113.7', true, true],
  ['203.0.113.7', '::ffff:203.0.113.7', true, true],
  ['203.0.113.7', '203.0.113.8', false, true],
  ['203.0.113.7', '203.0.114.7', false, false],
  ['2001:db8:0:1200::1', '2001:db8:0:1200:ffff::9', true, true],
  ['2001:db8:0:1200::1', '2001:db8:0:12ff::1', false, true],
  ['2001:db8:0:1200::1', '2001:db8:0:1300::1', false, false],
])('%s and %s: the same visitor %s, the same block %s', (one, other, sameVisitor, sameBlock) => {
  expect(name(one).key === name(other).key).toBe(sameVisitor);
  expect(name(one).block === name(other).block).toBe(sameBlock);
});

test('a name tells nothing of the address and differs from process to process', () => {
  const other = createVisitorNamer(new Uint8Array(32).fill(1));
  expect(name('203.0.113.7').key).not.toContain('203');
  expect(other('203.0.113.7').key).not.toBe(name('203.0.113.7').key);
});
