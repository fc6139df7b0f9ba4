import { expect, test } from 'vitest';
import { consentOf, readConsent } from './request-consent.ts';

const none = { statistics: false, marketing: false };
const cookie = 'lang=de; consent=1.10';

test("reads the cookie's answer to the current question", () => {
  expect(readConsent(cookie)).toEqual({ statistics: true, marketing: false });
  expect(readConsent(cookie, 2)).toEqual(none);
  expect(readConsent(undefined)).toEqual(none);
  expect(readConsent('consent=everything')).toEqual(none);
});

test('a request has the consent in its cookie, unless its browser refuses', () => {
  expect(consentOf({ cookie }, 'required')).toEqual({ statistics: true, marketing: false });
  expect(consentOf({ cookie, 'sec-gpc': '1' }, 'required')).toEqual(none);
  expect(consentOf({ cookie, dnt: '1' }, 'implied')).toEqual(none);
  expect(consentOf({}, 'required')).toEqual(none);
  expect(consentOf({}, 'implied')).toEqual({ statistics: true, marketing: true });
  expect(consentOf({ cookie, dnt: '0' }, 'off')).toEqual(none);
});
