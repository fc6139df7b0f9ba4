import type { ResultPart } from '../../web/pages/tool/result/result-parts.tsx';

/** What features add to a result. */
export const resultParts: readonly ResultPart[] = Object.values(
  import.meta.glob<ResultPart>('../../features/*/browser/result.tsx', { eager: true, import: 'default' }),
);
