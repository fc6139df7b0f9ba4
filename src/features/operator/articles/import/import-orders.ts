import type { Problem } from '../../../../content/files/problems.ts';
import type { ImportReport } from '../../../../content/import/import-content.ts';
import type { SiteConfiguration } from '../../../../site/configuration/configuration.ts';

/** An import, as the site's process orders it. */
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

/** Mistakes that are shown, and characters of the names and reasons in them. */
const shownProblems = 100;
const shownCharacters = 200;

const shortened = (text: string) =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;

/** Bounds the mistakes for a page: an archive may have twenty thousand, with names of 64 kB. */
export const firstProblems = (
  problems: readonly Problem[],
): Pick<Extract<ImportResult, { kind: 'refused' }>, 'problems' | 'more'> => ({
  problems: problems
    .slice(0, shownProblems)
    .map(({ file, line, reason }) => ({ file: shortened(file), line, reason: shortened(reason) })),
  more: Math.max(0, problems.length - shownProblems),
});

/** The import's outcome. */
export type ImportResult =
  | { readonly kind: 'done'; readonly report: ImportReport }
  /** Nothing was changed. @see firstProblems */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[]; readonly more: number }
  | { readonly kind: 'failed'; readonly text: string };
