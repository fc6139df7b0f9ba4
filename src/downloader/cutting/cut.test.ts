import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxCutMs, readCut, ringtoneFrom, writeCut } from './cut.ts';
import { readTime, writeTime } from './time-text.ts';

test.each([
  ['12.5', 12_500],
  ['0:12,5', 12_500],
  [' 1:02:03.045 ', 3_723_045],
  ['٠:١٢٫٥', 12_500],
  ['१:०२', 62_000],
  ['๑๐', 10_000],
  ['１：０２．５', 62_500],
  ['1000000000', 1_000_000_000_000],
  ['0.1234567', 123],
  ['', null],
  ['-1', null],
  ['1e9', null],
  ['NaN', null],
  ['1:2:3:4', null],
  ['12345678901234567890', null],
])('"%s" is %s ms', (text, ms) => {
  expect(readTime(text)).toBe(ms);
});

test('reads a time as it writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: maxCutMs }), (ms) => {
      expect(readTime(writeTime(ms, 3))).toBe(ms);
      expect(Math.abs((readTime(writeTime(ms)) ?? Number.NaN) - ms)).toBeLessThanOrEqual(50);
    }),
  );
  expect([writeTime(0), writeTime(59_960), writeTime(62_500)]).toEqual(['0:00.0', '1:00.0', '1:02.5']);
});

test('a cut has one spelling', () => {
  const cuts = fc
    .tuple(fc.nat(maxCutMs - 1), fc.integer({ min: 1, max: maxCutMs }), fc.boolean())
    .map(([fromMs, lengthMs, isRingtone]) =>
      isRingtone ? ringtoneFrom(fromMs) : { fromMs, toMs: Math.min(maxCutMs, fromMs + lengthMs), isRingtone },
    );
  fc.assert(
    fc.property(cuts, (cut) => {
      expect(writeCut(cut)).toMatch(/^[a-z0-9-]{3,20}$/);
      expect(readCut(writeCut(cut))).toEqual(cut);
    }),
  );
  for (const text of [
    '',
    '5',
    '5-5',
    '9-3',
    '05-9',
    '1-1e3',
    'ring',
    'ring-05',
    '0-86400001',
    '-1-5',
    '1-2-3',
  ])
    expect(readCut(text), text).toBeNull();
});
