import { isTrouble, type MetShape, type ShapeStore } from './shape-store.ts';

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
