import { expect, test } from 'vitest';
import { isSharedTrouble, remedyFor } from './remedy.ts';

/** Keys are public and never renamed: written out, as programs that use the API know them. */
const lasting = [
  'link_missing',
  'link_invalid',
  'link_profile',
  'link_handle',
  'short_link_dead',
  'request_too_large',
  'post_gone',
  'post_private',
  'post_friends_only',
  'account_private',
  'post_age_restricted',
  'post_login_required',
  'post_saving_off',
  'post_region_blocked',
  'post_taken_down',
  'post_withheld',
  'sound_missing',
  'sound_unsupported',
  'option_missing',
  'media_too_large',
];

const passing = [
  'network',
  'platform_blocked',
  'platform_failed',
  'platform_throttled',
  'platform_timeout',
  'rate_limited',
  'overloaded',
  'stopping',
  'internal',
  'a_key_of_later',
];

test.each(lasting)('%s stays, so that another try is not offered', (key) => {
  expect(remedyFor(key)).not.toBe('retry');
});

test.each(passing)('%s may pass, so that another try is offered', (key) => {
  expect(remedyFor(key)).toBe('retry');
});

test.each([
  ['link_profile', 'another'],
  ['post_gone', 'another'],
  ['request_too_large', 'another'],
  ['sound_missing', 'none'],
  ['media_too_large', 'none'],
])('the remedy for %s is %s', (key, remedy) => {
  expect(remedyFor(key)).toBe(remedy);
});

test('others are affected by trouble with the platform and with the site', () => {
  const shared = [...lasting, ...passing, 'media_unavailable', 'unavailable'].filter(isSharedTrouble);
  const ofPlatform = passing.filter((key) => key.startsWith('platform_'));
  expect(shared).toEqual([...ofPlatform, 'media_unavailable', 'unavailable']);
});
