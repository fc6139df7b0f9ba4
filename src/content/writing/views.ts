import type { Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { viewWeight } from '../popularity.ts';

/** Counts who reads which article, without writing while somebody waits for a page. */
export interface ViewCounter {
  /** One view more of what may be an article's address; what is none is forgotten at the next writing. */
  see(locale: string, slug: string): void;
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
}

/** Made-up addresses must not fill the memory before the next writing. */
const maxCounted = 10_000;

/** @param now milliseconds since 1970 */
export function createViewCounter(query: Kysely<Tables>, now: () => number): ViewCounter {
  let counted = new Map<string, number>();

  const add = (name: string, views: number) => {
    if (counted.size < maxCounted || counted.has(name)) counted.set(name, (counted.get(name) ?? 0) + views);
  };

  return {
    see: (locale, slug) => add(`${locale}/${slug}`, 1),
    async flush() {
      if (counted.size === 0) return;
      const taken = counted;
      counted = new Map();
      const weight = viewWeight(now());
      try {
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
