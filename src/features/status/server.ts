import type { FastifyInstance } from 'fastify';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';
import { unitOf } from '../../stores/tally/units.ts';
import { createIncidentStore } from './incidents.ts';
import { statusPaths } from './open-api.ts';
import { type SiteStatus, shownHours, shownIncidentsMs, siteStatus } from './site-status.ts';
import { siteStatusService } from './status-service.ts';

/** `GET /api/status`: how well the site works. */
function statusEndpoints(
  app: FastifyInstance,
  status: { /** At most ten seconds old. */ look(): Promise<SiteStatus> },
): void {
  app.get('/api/status', async (_, reply) => {
    const { now, checkedAt, kinds, incidents } = await status.look();
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

/** @param now milliseconds since 1970 */
export function openStatus(
  { database: { query } }: Pick<Core, 'database'>,
  now: () => number = Date.now,
): FeatureServer {
  const incidents = createIncidentStore(query, now);
  const tally = createTallyStore(query, now);
  const kept = createMemo<SiteStatus>({ max: 1, ttlMs: lookMs, now });

  async function read(): Promise<SiteStatus> {
    const at = now();
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
    routes: (app) => statusEndpoints(app, { look }),
    paths: statusPaths,
    services: siteStatusService.provide(look),
    async desk() {
      const { incidentsPage } = await import('./desk/page.ts');
      return [incidentsPage(incidents, kept.clear)];
    },
  };
}

export default (core: Core): FeatureServer => openStatus(core);
