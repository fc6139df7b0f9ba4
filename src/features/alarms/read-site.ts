import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createFigureStore } from '../../web/figures/figure-store.ts';
import { createInstanceStore, type InstanceState } from '../../web/figures/instance-store.ts';
import { createShapeStore } from '../../web/figures/shape-store.ts';
import { unitOf } from '../../web/figures/units.ts';
import type { SiteReading } from './condition.ts';

const usualHours = 7 * 24;

/** Subtracts the sums of a part from those of the whole. */
function without<Row extends { name: string; detail: string; total: number }>(
  whole: readonly Row[],
  part: readonly Row[],
): readonly Row[] {
  const parts = new Map(part.map(({ name, detail, total }) => [`${name}\n${detail}`, total]));
  return whole.map((row) => ({
    ...row,
    total: row.total - (parts.get(`${row.name}\n${row.detail}`) ?? 0),
  }));
}

/** What an instance knows while the database takes nothing: how it fares itself. */
export const ownReading = (now: number, state: InstanceState, databaseFailure: string): SiteReading => ({
  ...{ now, databaseFailure },
  instances: [{ id: '', startedAt: now, seenAt: now, state }],
  ...{ outcomes: [], recent: [], before: [], shapes: [] },
});

/** Reads what conditions look at. @param now milliseconds since 1970 */
export function createSiteReader(query: Kysely<Tables>, now: () => number): () => Promise<SiteReading> {
  const figures = createFigureStore(query, now);
  const instances = createInstanceStore(query, now);
  const shapes = createShapeStore(query, now);
  return async () => {
    const lastHour = unitOf('hour', now()) - 1;
    const recent = await figures.sums('hour', ['strategy', 'counted', 'shape', 'answer'], lastHour);
    const answers = await figures.sums('hour', ['answer'], lastHour - usualHours);
    return {
      now: now(),
      instances: await instances.list(),
      outcomes: await query
        .selectFrom('outcomes')
        .select(['kind', 'succeeded', 'failed'])
        .where('hour', '>=', lastHour)
        .execute(),
      recent,
      before: without(
        answers,
        recent.filter(({ subject }) => subject === 'answer'),
      ),
      shapes: await shapes.list(),
      databaseFailure: null,
    };
  };
}
