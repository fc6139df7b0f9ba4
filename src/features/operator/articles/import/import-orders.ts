import type { ImportReport } from '../../../../content/import/import-content.ts';
import type { Problem } from '../../../../content/import/problems.ts';
import type { SiteConfiguration } from '../../../../web/configuration/configuration.ts';

/** What the site's process wants of the one that imports. */
export interface ImportOrder {
  /** The archive. */
  readonly zip: string;
  /** A folder to unpack it into: new and empty. */
  readonly folder: string;
  /** Only check. */
  readonly dryRun: boolean;
  /** Leave new articles unpublished. */
  readonly unpublished: boolean;
  readonly configuration: SiteConfiguration;
}

/** What came of it. */
export type ImportResult =
  | { readonly kind: 'done'; readonly report: ImportReport }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'failed'; readonly text: string };
