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
const isTrouble = (kind: PostShape['kind']): boolean => kind === 'unreadable' || kind === 'host';

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
type ShapeStore = ReturnType<typeof createShapeStore>;

/** Number of forms that wait for being written; a platform with more of them at once has changed. */
const mostWaiting = 100;
/** When a form was last seen is written this often. */
const againMs = 600_000;
/** Interval for loading forms that other instances recorded. */
const learnMs = 60_000;
/** So long after it was first seen a form is counted; then it is how the platform is. */
const countedMs = 31 * 24 * 3_600_000;

const keyOf = ({ strategy, kind, name }: Omit<MetShape, 'example'>) => `${strategy} ${kind} ${name}`;

/**
 * @param now milliseconds since 1970
 * @param count told of each answer that has a new form, by strategy and form
 */
export function createShapeRecorder(
  store: ShapeStore,
  now: () => number,
  count: (strategy: string, shape: string) => void,
) {
  const waiting = new Map<string, MetShape>();
  const noted = new Map<string, number>();
  /** Forms that are counted; those of the other list are no news. */
  let counted = new Set<string>();
  let usual = new Set<string>();
  let learnedAt = Number.NEGATIVE_INFINITY;

  return {
    meet(shape: MetShape) {
      const key = keyOf(shape);
      if (usual.has(key)) return;
      if (counted.has(key) || isTrouble(shape.kind)) count(shape.strategy, `${shape.kind} ${shape.name}`);
      if (now() - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < againMs) return;
      if (waiting.size < mostWaiting) waiting.set(key, shape);
    },
    /** Keeps what was met since the last time, and learns what others have met. */
    async write(): Promise<void> {
      const batch = [...waiting];
      if (batch.length === 0 && now() - learnedAt < learnMs) return;
      await store.note(batch.map(([, shape]) => shape));
      for (const [key] of batch) {
        waiting.delete(key);
        noted.set(key, now());
      }
      const all = await store.list();
      const isNews = (one: (typeof all)[number]) => !one.isUsual && now() - one.firstSeen < countedMs;
      counted = new Set(all.filter(isNews).map(keyOf));
      usual = new Set(all.filter((one) => !isNews(one) && !isTrouble(one.kind)).map(keyOf));
      for (const key of noted.keys()) if (!counted.has(key)) noted.delete(key);
      learnedAt = now();
    },
  };
}
