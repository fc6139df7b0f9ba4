import Fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TicketSound } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import { createWhoCounts } from '../../../server/http/limits/who-counts.ts';
import { decorateRequests } from '../../../server/http/requests.ts';
import { createVisitorHasher, ownNamingKey } from '../../../server/http/visitor/visitor.ts';
import { handleErrors } from '../../../server/instance/errors.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';
import { countHere } from '../../../stores/embedded/rate-counters.ts';
import { framesEndpoints } from './frames.ts';

const isGone = (id: string) => id === 'gone';

/** The endpoints of a site whose tickets are the ids of posts. */
function openSite() {
  const app = Fastify({ trustProxy: ['127.0.0.1'] });
  const downloads: string[] = [];
  const uncounted: string[] = [];
  const tally = {
    add(subject: string, name: string, detail = '') {
      if (subject === 'download') downloads.push(name);
      if (subject === 'uncounted') uncounted.push(`${name} ${detail}`);
    },
  };
  decorateRequests(app, { origin: 'http://site.example', hashVisitor: createVisitorHasher(ownNamingKey()) });
  handleErrors(app, async (_, __, ___, reply) => reply);
  const parts = {
    tally,
    tickets: {
      open: (id: string): TicketSound => ({
        ...{ kind: 'sound', format: 'mp3', post: { platform: 'tiktok', id } },
      }),
    },
    limits: { async files() {} },
    resolver: {
      async resolve({ id }: { id: string }) {
        if (isGone(id)) throw new Failure('post_withheld');
      },
    },
    counts: createWhoCounts({
      ...{ makeCounters: countHere, tally },
      isWithheld: ({ id }) => isGone(id),
    }),
  };

  framesEndpoints(app, parts as unknown as ServerDependencies);
  const made = async (id: string, from = '77.1.1.1', headers: Record<string, string> = {}) =>
    (
      await app.inject({
        ...{ method: 'POST', url: `/api/files/${id}/made`, remoteAddress: '127.0.0.1' },
        headers: { 'x-forwarded-for': from, referer: 'http://site.example/', ...headers },
      })
    ).statusCode;
  return { made, downloads, uncounted, close: () => app.close() };
}

let site: ReturnType<typeof openSite>;
beforeEach(() => {
  site = openSite();
});
afterEach(() => site.close());

test('what a device has made counts ten times an hour for a visitor', async () => {
  for (let time = 0; time < 30; time++) expect(await site.made(`${time}`)).toBe(204);
  expect(site.downloads).toEqual(Array(10).fill('mp3'));
  expect(site.uncounted).toEqual(Array(20).fill('sounds network'));
  for (let visitor = 2; visitor < 90; visitor++) await site.made('1', `77.1.1.${visitor}`);
  expect(site.downloads).toHaveLength(80);
});

test('other sites cannot say that something was made', async () => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ] as Record<string, string>[])
    expect(await site.made('1', '77.1.1.1', headers)).toBe(403);
  expect(site.downloads).toEqual([]);
});

test('nothing of a post that is taken down is made', async () => {
  expect(await site.made('gone')).toBe(451);
  expect(site.downloads).toEqual([]);
});
