import type { ResultPart } from '../../site/pages/tool/result/result-parts.tsx';

/** The features' additions to a result. */
export const resultParts: readonly ResultPart[] = Object.values(
  import.meta.glob<ResultPart | readonly ResultPart[]>('../../features/*/browser/result.tsx', {
    eager: true,
    import: 'default',
  }),
).flat();
