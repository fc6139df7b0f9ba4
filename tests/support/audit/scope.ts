/** Whether this is the audit of the site (`npm run audit:site`), which tries every case of each matrix. */
export const isAudit = process.env.SITE_AUDIT === '1';

/** All cases of a matrix in the audit; otherwise those that stand for the rest. */
export const sample = <T>(all: readonly T[], standsForOthers: (one: T) => boolean): readonly T[] =>
  isAudit ? all : all.filter(standsForOthers);
