import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { viewWeight } from '../popularity.ts';

/** Made-up addresses must not fill the memory before the next writing. */
const maxCounted = 10_000;

/** @param now milliseconds since 1970 */
export function createViewCounter(query: Kysely<Tables>, now: () => number) {
  let counted = new Map<string, number>();

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
        const weight = viewWeight(now());
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
