import type { ToolPart } from '../../site/pages/tool/tool-parts.tsx';

/** The features' additions to downloader pages. */
export const toolParts: readonly ToolPart[] = Object.values(
  import.meta.glob<ToolPart>('../../features/*/browser/tool-page.tsx', { eager: true, import: 'default' }),
);
