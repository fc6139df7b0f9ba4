import { startPoller } from '../../process/poller.ts';
import type { Core, FeatureServer } from '../../web/feature.ts';
import { createFigureStore } from '../../web/figures/figure-store.ts';
import { type StatusCounter, statusEndpoints } from './endpoints.ts';
import { createIncidentStore } from './incidents.ts';
import { statusPaths } from './open-api.ts';
import { createOutcomeStore, type HourlyOutcomes } from './outcomes.ts';
import { hourMs, type SiteStatus, shownHours, shownIncidentsMs, siteStatus } from './site-status.ts';
import { siteStatusService } from './status-service.ts';

const lookMs = 10_000;

/** @param now milliseconds since 1970 */
export function openStatus(
  { database: { query }, logger }: Core,
  now: () => number = Date.now,
): FeatureServer {
  const outcomes = createOutcomeStore(query);
  const incidents = createIncidentStore(query, now);
  const figures = createFigureStore(query, now);
  let unwritten = new Map<string, HourlyOutcomes>();
  let known: { readonly at: number; readonly status: Promise<SiteStatus> } | null = null;

  async function read(): Promise<SiteStatus> {
    const at = now();
    const [hours, notes] = await Promise.all([
      outcomes.since(Math.floor(at / hourMs) - shownHours + 1),
      incidents.since(at - shownIncidentsMs),
    ]);
    return siteStatus(hours, notes, at);
  }

  async function write(): Promise<void> {
    const batch = unwritten;
    unwritten = new Map();
    for (const [name, one] of batch) {
      await outcomes.add(one);
      batch.delete(name);
    }
  }

  const close = startPoller(write, (error) => logger.error({ err: error }, 'outcomes could not be written'));
  const status: StatusCounter = {
    count(kind, outcome) {
      const hour = Math.floor(now() / hourMs);
      const name = `${hour} ${kind}`;
      const before = unwritten.get(name) ?? { hour, kind, succeeded: 0, failed: 0 };
      unwritten.set(name, { ...before, [outcome]: before[outcome] + 1 });
    },
    look() {
      if (known === null || now() - known.at >= lookMs) {
        const status = read();
        known = { at: now(), status };
        // A failed query is repeated at once.
        status.catch(() => {
          known = null;
        });
      }
      return known.status;
    },
  };
  return {
    routes: (app, { counts }) => statusEndpoints(app, status, counts),
    openApi: statusPaths,
    services: siteStatusService.provide(status.look),
    async desk() {
      const { incidentsPage } = await import('./desk/page.ts');
      return [
        incidentsPage({
          incidents,
          look: read,
          uncounted: () => figures.sums('hour', ['uncounted'], Math.floor(now() / hourMs) - shownHours + 1),
          onChange() {
            known = null;
          },
        }),
      ];
    },
    close,
  };
}

export default (core: Core): FeatureServer => openStatus(core);
