import type { Kysely } from 'kysely';
import type { PostShape } from '../../downloader/extractors/readings.ts';
import type { Tables } from '../../stores/contracts/database.ts';

/** A form of the platform's answers, as it was met. */
export interface MetShape extends PostShape {
  readonly strategy: string;
  /** Id of a post that has it, or the unknown host to which a redirect led. */
  readonly example: string;
}

/** A form as it is kept. */
export interface KeptShape extends MetShape {
  /** Milliseconds since 1970. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** It was there when the site began to look, and is no news. */
  readonly isUsual: boolean;
}

/** An unreadable answer is never normal: it is counted from the first time on. */
export const isTrouble = (kind: PostShape['kind']): boolean => kind === 'unreadable' || kind === 'host';

/** More forms than the platform has; beyond it nothing new is kept, whatever it answers. */
const mostKept = 500;
/** Forms met within the first day are the platform's normal ones, and no news. */
const learningMs = 24 * 3_600_000;

/** @param now milliseconds since 1970 */
export function createShapeStore(query: Kysely<Tables>, now: () => number) {
  return {
    /** Keeps those that are new, and when the others were last seen. */
    async note(shapes: readonly MetShape[]) {
      if (shapes.length === 0) return;
      const time = now();
      const { count, first } = await query
        .selectFrom('post_shapes')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('first_seen').as('first')])
        .executeTakeFirstOrThrow();
      const isLearning = first === null || time - Number(first) < learningMs;
      let room = mostKept - Number(count);
      for (const { strategy, kind, name, example } of shapes) {
        const known = await query
          .updateTable('post_shapes')
          .set({ last_seen: time })
          .where('strategy', '=', strategy)
          .where('kind', '=', kind)
          .where('name', '=', name)
          .returning('name')
          .executeTakeFirst();
        if (known !== undefined || room <= 0) continue;
        room -= 1;
        const is_usual = isLearning && !isTrouble(kind) ? 1 : 0;
        await query
          .insertInto('post_shapes')
          .values({ strategy, kind, name, example, first_seen: time, last_seen: time, is_usual })
          .onConflict((conflict) => conflict.columns(['strategy', 'kind', 'name']).doNothing())
          .execute();
      }
    },

    /** All of them, the newest first. */
    async list(): Promise<readonly KeptShape[]> {
      const rows = await query
        .selectFrom('post_shapes')
        .selectAll()
        .orderBy('first_seen', 'desc')
        .orderBy('strategy')
        .orderBy('name')
        .execute();
      return rows.map(({ first_seen, last_seen, is_usual, kind, ...row }) => ({
        ...row,
        kind: kind as PostShape['kind'],
        firstSeen: first_seen,
        lastSeen: last_seen,
        isUsual: is_usual === 1,
      }));
    },
  };
}

/** The forms that were met. */
export type ShapeStore = ReturnType<typeof createShapeStore>;
