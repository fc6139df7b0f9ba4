import { expect, test } from 'vitest';
import { createStopwatch, TooSlow } from './stopwatch.ts';

/**
 * A minute of sound, in steps of a second, each of which takes this many ms. @returns when the device was proven, in
 * seconds of sound
 */
function encode(msOfSecond: (n: number) => number, durationS = 60): number | null {
  let [now, done] = [0, 0];
  let provenAtS: number | null = null;
  const measure = createStopwatch(
    durationS,
    4,
    () => {
      provenAtS = done + 1;
    },
    () => now,
  );
  for (; done < durationS; done += 1) {
    // The device is not to blame for waiting for bytes.
    now += 5000;
    measure(1, () => {
      now += msOfSecond(done);
    });
  }
  return provenAtS;
}

test('a device is fast enough after ten seconds show it, or half of a short sound', () => {
  expect(encode(() => 249)).toBe(10);
  expect(encode(() => 249, 8)).toBe(4);
});

test('a slow device gives up then', () => {
  expect(() => encode(() => 251)).toThrow(TooSlow);
});

test('a very slow device gives up after four seconds of work', () => {
  let seconds = 0;
  expect(() =>
    encode((n) => {
      seconds = n + 1;
      return 2000;
    }),
  ).toThrow(TooSlow);
  expect(seconds).toBe(2);
});

test('ignores a slow first second, which the compiler takes', () => {
  expect(encode((n) => (n === 0 ? 1500 : 80))).toBe(10);
});

test('continues when it becomes slow later: most of the work is done, and it holds no place any more', () => {
  expect(encode((n) => (n < 10 ? 100 : 900))).toBe(10);
});
