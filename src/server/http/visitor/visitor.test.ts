import { expect, test } from 'vitest';
import { createVisitorHasher, dailyNamingKey, ownNamingKey } from './visitor.ts';

const name = createVisitorHasher(ownNamingKey());

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

test('a name reveals nothing about the address and differs from process to process', () => {
  const other = createVisitorHasher(ownNamingKey());
  expect(name('203.0.113.7').key).not.toContain('203');
  expect(other('203.0.113.7').key).not.toBe(name('203.0.113.7').key);
});

test('instances with one secret have the same name for a visitor, and another one the next day', () => {
  let time = Date.UTC(2026, 10, 20, 23);
  const nameAt = (secret: number) =>
    createVisitorHasher(dailyNamingKey(new Uint8Array(32).fill(secret), () => time))('203.0.113.7').key;
  const before = nameAt(1);
  expect(nameAt(1)).toBe(before);
  expect(nameAt(2)).not.toBe(before);
  const key = dailyNamingKey(new Uint8Array(32).fill(1), () => time);
  const today = key();
  expect(key()).toBe(today);
  time += 7_200_000;
  expect(key().equals(today)).toBe(false);
  expect(nameAt(1)).not.toBe(before);
});
