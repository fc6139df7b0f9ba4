import { expect, test } from 'vitest';
import { hasReader } from './fetch-metadata.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test.each<[boolean, Record<string, string>]>([
  // Old browsers and programs send no such header.
  [true, {}],
  [true, { 'user-agent': 'curl/8.5.0' }],
  [true, { 'user-agent': firefox, 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
  [true, { 'user-agent': firefox, 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }],
  [true, { 'user-agent': 'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 Chrome/99.0' }],
  [false, { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }],
  [false, { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
  [false, { 'sec-fetch-dest': 'iframe' }],
  [false, { 'sec-fetch-dest': 'script' }],
  [false, { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
  [false, { 'sec-purpose': 'prefetch;prerender' }],
  [false, { purpose: 'prefetch' }],
  [false, { 'x-moz': 'prefetch' }],
  [false, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  [false, { 'user-agent': 'Googlebot-Image/1.0' }],
  [false, { 'user-agent': 'facebookexternalhit/1.1' }],
  [false, { 'user-agent': 'WhatsApp/2.23.20.0' }],
  [false, { 'user-agent': 'TelegramBot (like TwitterBot)' }],
  [false, { 'user-agent': 'Mozilla/5.0 (compatible; Baiduspider/2.0)' }],
])('reads: %s for %j', (reads, headers) => {
  expect(hasReader({ method: 'GET', headers })).toBe(reads);
  expect(hasReader({ method: 'HEAD', headers })).toBe(false);
});
