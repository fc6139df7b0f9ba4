import type { LayoutPart } from '../../site/layout/layout-parts.tsx';

/** The features' additions to the layout, in ascending order. */
export const layoutParts: readonly LayoutPart[] = Object.values(
  import.meta.glob<LayoutPart>('../../features/*/browser/layout.tsx', { eager: true, import: 'default' }),
).toSorted((one, other) => one.order - other.order);
