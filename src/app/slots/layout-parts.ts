import type { LayoutPart } from '../../web/layout/layout-parts.tsx';

/** What features add to the layout. */
export const layoutParts: readonly LayoutPart[] = Object.values(
  import.meta.glob<LayoutPart>('../../features/*/browser/layout.tsx', { eager: true, import: 'default' }),
);
