import { expect, it } from 'vitest';
import { describeOptions, readOptions } from './options.ts';
import { readable } from './table.ts';

it('has a value for everything, and takes others', () => {
  const usual = readOptions([]);
  const read = readOptions(['--peak-factor', '4', '--core', '0', '--video-mb=7.5']);
  expect(read).toEqual({
    mix: { ...usual.mix, peakFactor: 4, videoMb: 7.5 },
    limits: usual.limits,
    prices: { ...usual.prices, core: 0 },
  });
  expect(describeOptions(read).some((line) => /--peak-factor 4 +the busiest/.test(line))).toBe(true);
});

it.each([
  ['--peak-factor', 'many'],
  ['--peak-factor', ''],
  ['--peak-factor', '-1'],
  ['--video-mb', 'Infinity'],
  ['--kept-share', '1.1'],
  ['--mp3-share', '0.99'],
  ['--machine-gbit', '0'],
  ['--unknown', '1'],
])('refuses %s %s', (flag, value) => {
  expect(() => readOptions([`${flag}=${value}`])).toThrow();
});

it.each([
  [0, '0'],
  [0.000_189, '0.000189'],
  [1.234, '1.23'],
  [1234.5, '1,230'],
  [99_999, '100,000'],
  [null, 'not measured'],
])('writes %s as %s', (value, text) => {
  expect(readable(value)).toBe(text);
});
