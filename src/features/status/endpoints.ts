import type { FastifyInstance } from 'fastify';
import type { SiteStatus } from './site-status.ts';

/** `GET /api/status`: how well the site works. */
export function statusEndpoints(
  app: FastifyInstance,
  status: { /** As it was at most ten seconds ago. */ look(): Promise<SiteStatus> },
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
