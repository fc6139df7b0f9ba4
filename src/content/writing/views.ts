import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { momentOfWeight, viewWeight } from '../popularity.ts';

/** Made-up addresses must not fill the memory before the next writing. */
const maxCounted = 10_000;

/** A clock by which nobody has read anything for half a year is probably ahead. */
const mostAheadMs = 26 * 7 * 86_400_000;

/**
 * Correction of a wrong clock, derived from the stored views: weights are never rewritten, so views from the future
 * would outrank all others, and views from the distant past would count nothing. No view can be older than the moment
 * at which an article's views have their average weight.
 * @returns milliseconds to add
 */
async function correctionOf(query: Kysely<Tables>, now: number): Promise<number> {
  const { weight } = await query
    .selectFrom('articles')
    .select(sql<number | null>`max(heat / views)`.as('weight'))
    .where('heat', '>', 0)
    .where('views', '>', 0)
    .executeTakeFirstOrThrow();
  if (weight === null) return 0;
  const newest = momentOfWeight(weight);
  return Math.min(Math.max(now, newest), newest + mostAheadMs) - now;
}

/** @param now milliseconds since 1970, by a monotonic clock; compared with the stored views at the first write */
export function createViewCounter(query: Kysely<Tables>, now: () => number) {
  let counted = new Map<string, number>();
  let correctionMs: number | null = null;

  const add = (name: string, views: number) => {
    if (counted.size < maxCounted || counted.has(name)) counted.set(name, (counted.get(name) ?? 0) + views);
  };

  return {
    /** Counts a view of a possible article address; unknown addresses are dropped at the next write. */
    see: (locale: string, slug: string) => add(`${locale}/${slug}`, 1),
    /** Writes what was counted since the last time. */
    async flush() {
      if (counted.size === 0) return;
      const taken = counted;
      counted = new Map();
      try {
        correctionMs ??= await correctionOf(query, now());
        const weight = viewWeight(now() + correctionMs);
        await query.transaction().execute(async (transaction) => {
          // The same order everywhere prevents deadlocks between instances.
          for (const [name, views] of [...taken].sort(([one], [other]) => (one < other ? -1 : 1))) {
            const [locale = '', slug = ''] = name.split('/');
            await transaction
              .updateTable('articles')
              .set(({ eb }) => ({ views: eb('views', '+', views), heat: eb('heat', '+', views * weight) }))
              .where('locale', '=', locale)
              .where('slug', '=', slug)
              .execute();
          }
        });
      } catch (error) {
        for (const [name, views] of taken) add(name, views);
        throw error;
      }
    },
  };
}

/** Counts article views without writing while a visitor waits for a page. */
export type ViewCounter = ReturnType<typeof createViewCounter>;
