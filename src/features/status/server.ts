import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { type Paths, success } from '../../server/openapi/describe.ts';
import { services } from '../../server/tally/names.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';
import { unitOf } from '../../stores/tally/units.ts';
import { createIncidentStore } from './incidents.ts';
import {
  type SiteStatus,
  shownHours,
  shownIncidentsMs,
  siteStatus,
  siteStatusService,
} from './site-status.ts';

/** `GET /api/status`: how well the site works. @param look at most ten seconds old */
function statusEndpoint(app: FastifyInstance, look: () => Promise<SiteStatus>): void {
  app.get('/api/status', async (_, reply) => {
    const { now, checkedAt, kinds, incidents } = await look();
    return reply.header('cache-control', 'public, max-age=10').send({
      code: 200,
      result: {
        state: now,
        checked_at: new Date(checkedAt).toISOString(),
        kinds: kinds.map((one) => ({ kind: one.kind, state: one.now, share: one.share, hours: one.hours })),
        incidents: incidents.map(({ text, beganAt, endedAt }) => ({
          text,
          began_at: new Date(beganAt).toISOString(),
          ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
        })),
      },
    });
  });
}

const lookMs = 10_000;

/** Tells how well the site works: by the API, on the status page, and at the desk. */
export default function openStatus({ database: { query } }: Core): FeatureServer {
  const incidents = createIncidentStore(query, Date.now);
  const tally = createTallyStore(query, Date.now);
  const kept = createMemo<SiteStatus>({ max: 1, ttlMs: lookMs, now: Date.now });

  async function read(): Promise<SiteStatus> {
    const at = Date.now();
    const from = unitOf('hour', at) - shownHours + 1;
    const [hours, notes] = await Promise.all([
      tally.sums({
        ...{ subject: 'outcome', unit: 'hour', from, by: ['at', 'name'], details: ['succeeded'] },
      }),
      incidents.since(at - shownIncidentsMs),
    ]);
    return siteStatus(hours, notes, at);
  }

  const look = () => kept.get('', read);

  return {
    routes: (app) => statusEndpoint(app, look),
    paths: statusPaths,
    services: siteStatusService.provide(look),
    async desk() {
      const { incidentsPage } = await import('./desk/page.ts');
      return [incidentsPage(incidents, kept.clear)];
    },
  };
}

const state = z.enum(['working', 'troubled', 'broken', 'unknown']);
const share = z.number().min(0).max(1).nullable();

const statusResponse = z.object({
  code: z.literal(200),
  result: z.object({
    state: state.describe('The worst of all kinds; an incident that lasts is at least a trouble.'),
    checked_at: z.iso.datetime(),
    kinds: z.array(
      z.object({
        kind: z.enum(services),
        state: state.describe('Of this hour and the one before. `unknown`: too few have tried.'),
        share: share.describe('Of requests that succeeded within 24 hours.'),
        hours: z.array(share).describe('The same of each hour, the oldest first.'),
      }),
    ),
    incidents: z.array(
      z.object({ text: z.string(), began_at: z.iso.datetime(), ended_at: z.iso.datetime().nullable() }),
    ),
  }),
});

/** The call for the site's state, in the description of the API. */
const statusPaths: Paths = {
  '/api/status': {
    get: {
      operationId: 'getSiteStatus',
      summary: 'Whether links and files work now, and how they fared in the last 24 hours.',
      responses: success('The state, at most ten seconds old.', statusResponse),
    },
  },
};
