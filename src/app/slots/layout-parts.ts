import type { LayoutPart } from '../../site/layout/layout-parts.tsx';

/** The features' additions to the layout. */
export const layoutParts: readonly LayoutPart[] = Object.values(
  import.meta.glob<LayoutPart>('../../features/*/browser/layout.tsx', { eager: true, import: 'default' }),
);
