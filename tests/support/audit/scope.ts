/** Whether this is the audit of the site (`npm run audit:site`), which tries every case of each matrix. */
export const isAudit = process.env.SITE_AUDIT === '1';

/**
 * Bounds the time since a moment, in the audit only: `npm test` is green on a busy machine, too.
 * @throws Error when it took longer
 */
export function expectWithin(limitMs: number, sinceMs: number): void {
  const tookMs = performance.now() - sinceMs;
  if (isAudit && tookMs > limitMs) throw new Error(`took ${Math.round(tookMs)} ms instead of ${limitMs}`);
}

/** All cases of a matrix in the audit; otherwise those that stand for the rest. */
export const sample = <T>(all: readonly T[], standsForOthers: (one: T) => boolean): readonly T[] =>
  isAudit ? all : all.filter(standsForOthers);
