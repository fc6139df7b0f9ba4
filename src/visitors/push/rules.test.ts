import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isServiceEndpoint } from './endpoints.ts';
import { wakingTime } from './quiet-hours.ts';
import { delayAfter } from './send-push.ts';

/** As the site configuration has them by default. */
const usualServices = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  'https://web.push.apple.com/QABC',
  'https://db5p.notify.windows.com/w/?token=abc',
])('%s is a push service’s', (endpoint) => {
  expect(isServiceEndpoint(endpoint, usualServices)).toBe(true);
});

test.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/fcm/send/abc',
  'https://fcm.googleapis.com@evil.example/abc',
  'https://user:pass@fcm.googleapis.com/abc',
  'https://fcm.googleapis.com.evil.example/abc',
  'https://evilpush.apple.com/abc',
  'https://push.apple.com/abc',
  'https://127.0.0.1/abc',
  'https://[::1]/abc',
  'https://localhost/abc',
  'javascript:alert(1)',
  '',
  `https://fcm.googleapis.com/${'a'.repeat(1000)}`,
])('%s is not', (endpoint) => {
  expect(isServiceEndpoint(endpoint, usualServices)).toBe(false);
});

test('whatever text is registered, only hosts of the list are spoken to', () => {
  fc.assert(
    fc.property(
      fc.tuple(
        fc.constantFrom('https://', 'https:', '//'),
        fc.string(),
        fc.constantFrom('', 'fcm.googleapis.com/', '@'),
      ),
      (parts) => {
        const endpoint = parts.join('');
        if (isServiceEndpoint(endpoint, usualServices))
          expect(new URL(endpoint).host).toMatch(/^fcm\.googleapis\.com$|\.(?:mozilla|apple|windows)\.com$/);
      },
    ),
  );
});

const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 22, hour, minute);

test.each([
  [at(12), 0, at(12)],
  [at(21, 59), 0, at(21, 59)],
  [at(22), 0, at(22) + 10 * 3_600_000],
  [at(2), 0, at(8)],
  [at(8), 0, at(8)],
  // India: half past five hours ahead, so it is half past ten in the evening.
  [at(17), 19_800, at(17) + 9.5 * 3_600_000],
  // New York: five hours behind, nine in the evening.
  [at(2), -18_000, at(2)],
])('at %d with the clock %d s ahead: %d', (now, ahead, expected) => {
  expect(wakingTime(now, ahead)).toBe(expected);
});

test('nobody is woken, nobody waits longer than a night', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1e12, max: 4e12 }),
      fc.integer({ min: -50_400, max: 50_400 }),
      (now, ahead) => {
        const wakes = wakingTime(now, ahead);
        const hour = Math.floor(((wakes + ahead * 1000) / 3_600_000) % 24);
        expect(hour >= 8 && hour < 22).toBe(true);
        expect(wakes - now).toBeGreaterThanOrEqual(0);
        expect(wakes - now).toBeLessThanOrEqual(10 * 3_600_000);
      },
    ),
  );
});

test('each try waits twice as long, as long as the service asks, and not for ever', () => {
  expect([1, 2, 3, 7].map((attempts) => delayAfter(attempts, null))).toEqual([
    30_000, 60_000, 120_000, 1_920_000,
  ]);
  expect(delayAfter(1, 300_000)).toBe(300_000);
  expect(delayAfter(1, 86_400_000)).toBe(3_600_000);
  expect(delayAfter(8, null)).toBeNull();
});
