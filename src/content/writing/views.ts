import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { momentOfWeight, viewWeight } from '../popularity.ts';

/** Counts who reads which article, without writing while somebody waits for a page. */
export interface ViewCounter {
  /** One view more of what may be an article's address; what is none is forgotten at the next writing. */
  see(locale: string, slug: string): void;
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
}

/** Made-up addresses must not fill the memory before the next writing. */
const maxCounted = 10_000;

/** A clock that says that nobody has read anything for half a year is more likely ahead. */
const mostAheadMs = 26 * 7 * 86_400_000;

/**
 * By how much a clock is wrong as far as the views that were written tell: weights are never written anew, so that
 * views of a time to come would stay on top of all others, and views of long ago would count nothing. No view can have
 * been written before the moment that an article's views weigh as much as on average.
 * @returns milliseconds to be added
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

/**
 * @param now milliseconds since 1970, by a clock that goes on evenly; it is held against the views that are there when
 * the first ones are written
 */
export function createViewCounter(query: Kysely<Tables>, now: () => number): ViewCounter {
  let counted = new Map<string, number>();
  let correctionMs: number | null = null;

  const add = (name: string, views: number) => {
    if (counted.size < maxCounted || counted.has(name)) counted.set(name, (counted.get(name) ?? 0) + views);
  };

  return {
    see: (locale, slug) => add(`${locale}/${slug}`, 1),
    async flush() {
      if (counted.size === 0) return;
      const taken = counted;
      counted = new Map();
      try {
        correctionMs ??= await correctionOf(query, now());
        const weight = viewWeight(now() + correctionMs);
        await query.transaction().execute(async (transaction) => {
          // In one order everywhere, so that two instances never wait for each other in a circle.
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
