import { afterAll, beforeAll, expect, test } from 'vitest';
import { postNamed } from '../../doubles/tiktok/scenarios/posts.ts';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { LOG_LEVEL: 'debug' } });
});
afterAll(() => journey.stop());

const found = ['ordinary', 'photos', 'unicode-title', 'short-vm', 'short-t'];
const refused = [
  'deleted',
  'private-account',
  'captcha-code-nothing',
  'server-panic-nothing',
  'age-gate',
  'region-fenced',
];

/** All parts of a link that reveal its post or author. */
const partsOf = (link: string): string[] => [
  link,
  ...(link.match(/\d{15,}|(?<=@)[\w.-]{3,}|(?<=\/)Z[A-Za-z0-9]{6,}/g) ?? []),
];

const requested: (string | null)[] = [];

/** Sends a request, and reads the response to its end. */
async function request(path: string, init?: RequestInit): Promise<void> {
  const response = await journey.get(path, init);
  await response.arrayBuffer();
  requested.push(response.headers.get('x-request-id'));
}

const asJson = (url: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url }),
});

test('after a day of all kinds of use, no line of the log says which visitor requested which post', async () => {
  const links = [...found, ...refused].map((name) => journey.platform.link(name));
  const text = (link: string) => `Look at this! ${link} #fyp`;
  for (const link of links) {
    await request('/api/resolve', asJson(text(link)));
    await request(`/?url=${encodeURIComponent(link)}`, {
      headers: { referer: `${journey.product.origin}/?url=${link}` },
    });
    await request(`/de/${link}`);
    await request(`/${encodeURIComponent(link)}`);
    await request(new URL(link).pathname);
  }
  const form = new URLSearchParams({ url: links[0] ?? '' });
  await request('/', { method: 'POST', body: form, headers: { origin: journey.product.origin } });
  // Two links: the first is refused, and the message names the other one.
  await request('/api/resolve', asJson(`${links.at(-1)} ${links[0]}`));
  await request('/api/resolve', asJson(`https://elsewhere.example/?next=${links[0]}`));
  for (const name of ['ordinary', 'photos']) {
    const { answer } = await journey.resolve(name);
    if (!('result' in answer)) throw new Error('not resolved');
    const { post, options } = answer.result;
    await request(String(post.cover_url));
    for (const { href, status_href, preview_url } of options) {
      await request(href, { method: 'HEAD' });
      await request(href);
      if (preview_url !== undefined) await request(preview_url);
      if (status_href === undefined) continue;
      await request(status_href);
      await request(status_href, { method: 'DELETE' });
    }
  }
  for (const name of ['broken-off', 'sound-not-aac', 'silent']) {
    const link = journey.platform.links[name];
    if (link === undefined) continue;
    links.push(link);
    const { answer } = await journey.resolve(name);
    if ('result' in answer) for (const { href } of answer.result.options) await request(href).catch(() => {});
  }
  const isLogged = (id: string | null) => journey.product.log().some(({ reqId }) => reqId === id);
  await expect.poll(() => requested.every(isLogged)).toBe(true);
  const log = journey.product.log();
  expect(log.length).toBeGreaterThan(60);
  const own = log.filter(({ reqId, visitor }) => reqId !== undefined || visitor !== undefined);
  expect(own.some(({ msg }) => msg === 'request refused')).toBe(true);
  const { id } = postNamed('ordinary');
  const traces = new Set([id, ...links.flatMap(partsOf)]);
  expect(traces.size).toBeGreaterThan(10);
  const lines = own.map((line) => JSON.stringify(line));
  expect(lines.filter((line) => [...traces].some((trace) => line.includes(trace)))).toEqual([]);
  // The operator's line names a post, but no visitor.
  expect(JSON.stringify(log)).toContain(id);
});
