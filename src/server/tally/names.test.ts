import { expect, test } from 'vitest';
import { usualUserAgents } from '../../downloader/extractors/tiktok/identities/identities.ts';
import { agentName, firstByteBucket } from './names.ts';

test('every built-in user agent has a unique short name', () => {
  expect(usualUserAgents.map(agentName)).toEqual([
    'Chrome 151, Windows',
    'Firefox 145, Linux',
    'Chrome 138, Windows',
    'Safari 18, iPhone',
    'Chrome 151, Android',
  ]);
  expect(agentName('x'.repeat(300))).toBe('x'.repeat(60));
});

test('a time to the first byte falls into one bucket', () => {
  expect([0, 100, 101, 8000, 8001, 1e9].map(firstByteBucket)).toEqual([
    ...['100', '100', '250', '8000', 'more', 'more'],
  ]);
});
