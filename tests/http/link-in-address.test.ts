import { beforeAll, expect, test } from 'vitest';
import type { Journey } from '../support/journey.ts';
import { numberedId } from '../support/platform.ts';
import { rawRequest } from '../support/raw-request.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

let last = 0;
const anotherLink = () => `https://www.tiktok.com/@ferry.captain/video/${numberedId(++last)}`;

/** A page's result for an uncached link in its address. */
async function open(headers: Readonly<Record<string, string>>, method = 'GET', path = '/') {
  const link = anotherLink();
  const before = (await journey.platform.stats()).requests;
  const {
    status,
    headers: answered,
    body,
  } = await rawRequest(journey.product.origin, `${path}?url=${encodeURIComponent(link)}`, {
    method,
    headers: { host: 'clipferry.example', ...headers },
  });
  const text = String(body);
  return {
    status,
    control: answered['cache-control'],
    isInBox: text.includes(link),
    hasResult: text.includes('/api/files/'),
    isLookedUp: (await journey.platform.stats()).requests !== before,
  };
}

const found = { status: 200, control: 'no-store', isInBox: true, hasResult: true, isLookedUp: true };
const waiting = { ...found, hasResult: false, isLookedUp: false };
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

test.each<Record<string, string>>([
  {},
  { 'user-agent': 'curl/8.5.0' },
  { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
])('looks up a link in the address for any visitor: %j', async (headers) => {
  expect(await open(headers)).toEqual(found);
});

test.each<Record<string, string>>([
  { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' },
  { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { 'user-agent': googlebot },
])('leaves it in the box when nobody reads it: %j', async (headers) => {
  expect(await open(headers)).toEqual(waiting);
  expect(await open(headers, 'GET', '/de/tiktok-downloader')).toEqual(waiting);
});

test('HEAD looks nothing up', async () => {
  expect(await open({}, 'HEAD')).toEqual({ ...waiting, isInBox: false });
});

test('the form looks it up for any sender', async () => {
  const link = anotherLink();
  const { body } = await rawRequest(journey.product.origin, '/', {
    method: 'POST',
    headers: {
      host: 'clipferry.example',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-dest': 'document',
    },
    body: `url=${encodeURIComponent(link)}`,
  });
  expect(String(body)).toContain('/api/files/');
});
