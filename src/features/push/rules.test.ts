import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isServiceEndpoint } from './sending/send-push.ts';

/** The defaults of the site configuration. */
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
  'https://db5p.notify.windows.com/w/?token=BQYAAAD%2bc%3d%3d',
])('%s is a push service', (endpoint) => {
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
  'https://.notify.windows.com/w',
  'https://a..notify.windows.com/w',
  'https://a.b.notify.windows.com/w',
  'https://-.notify.windows.com/w',
  'https://a_b.notify.windows.com/w',
  'https://notify.windows.com/w',
  'https://db5p.notify.windows.com./w',
  'https://fcm.googleapis.com/fcm/send/abc#1',
  'https://fcm.googleapis.com/fcm/send/a\tbc',
  'https://fcm.googleapis.com/fcm/send/abc\n',
  ' https://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com/fcm/send/ab\u200bc',
  'https://fcm.googleapis.com/fcm/send/abc\0',
  'https://fcm.googleapis.com/fcm/./send/abc',
  'https://fcm.googleapis.com/fcm/send/%61bc',
  'https://fcm.googleapis.com:443/fcm/send/abc',
  'HTTPS://fcm.googleapis.com/fcm/send/abc',
  'https://FCM.googleapis.com/fcm/send/abc',
  'https:\\\\fcm.googleapis.com\\fcm',
  'javascript:alert(1)',
  '',
  `https://fcm.googleapis.com/${'a'.repeat(1000)}`,
])('%s is not a push service', (endpoint) => {
  expect(isServiceEndpoint(endpoint, usualServices)).toBe(false);
});

test('connects only to hosts of the list, whatever text is registered', () => {
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

test('accepts only addresses as browsers write them, with one label before a domain of the list', () => {
  const part = fc.constantFrom(
    'a',
    '.',
    '-',
    '%41',
    '%2f',
    '#',
    '?',
    '/',
    '\t',
    '\u00ad',
    'Ä',
    '@',
    ':443',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.array(part, { maxLength: 6 }), (before, after) => {
      const endpoint = `https://${before.join('')}.notify.windows.com/${after.join('')}`;
      if (!isServiceEndpoint(endpoint, usualServices)) return;
      const url = new URL(endpoint);
      expect(url.href).toBe(endpoint);
      expect(url.hash).toBe('');
      expect(url.host.split('.')).toHaveLength(4);
      expect(endpoint).not.toMatch(/[\p{Cc}\p{Cf}\s]/u);
    }),
  );
});
