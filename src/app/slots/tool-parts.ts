import type { ToolPart } from '../../web/pages/tool/tool-parts.tsx';

/** What features add to downloader pages. */
export const toolParts: readonly ToolPart[] = Object.values(
  import.meta.glob<ToolPart>('../../features/*/browser/tool-page.tsx', { eager: true, import: 'default' }),
);
