import type { ComponentType } from 'react';
import type { CataloguePage } from '../../../../i18n/languages.ts';
import type { ResolveResult } from '../../../api.ts';
import type { RequestedFile } from '../../../browser/downloads/downloads.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import type { OtherPage } from '../files/choose-options.ts';

/**
 * A position in a result where a feature may show something: over the cover, below the author, before the files, among
 * the files of a slideshow, behind the files, after the device's second file, or as a row of the list below.
 */
export type ResultPlace = 'cover' | 'about' | 'first' | 'pictures' | 'files' | 'second-save' | 'more';

/** The props of a feature's part of a result. */
export interface ResultPartProps {
  readonly result: ResolveResult;
  /** Files that the page offers, in its order. */
  readonly buttons: readonly DownloadButton[];
  /** The site's other downloader pages. */
  readonly others: readonly OtherPage[];
  /** The pictures of a slideshow that a press saves: the chosen ones, or all. */
  readonly pictures: readonly RequestedFile[];
  /** Announces a text to screen readers. */
  onAnnounce(text: string): void;
}

/**
 * A feature's addition to every result. The default export of `features/NAME/browser/result.tsx` is one or a list; it
 * is bundled with the result, so heavy parts load their code when opened.
 */
export interface ResultPart {
  readonly place: ResultPlace;
  /** Parts of one place stand in ascending order. */
  readonly order: number;
  /** Its message catalogue, which is loaded with the result's code. */
  readonly catalogue?: CataloguePage;
  /** Renders nothing when it has nothing to offer. */
  readonly Part: ComponentType<ResultPartProps>;
}

let loaded: readonly ResultPart[] = [];

/** Fetches the features' parts, in one file; afterwards results show them. */
export async function loadResultParts(): Promise<void> {
  const { resultParts } = await import('./feature-parts.ts');
  loaded = (resultParts as readonly ResultPart[]).toSorted((one, other) => one.order - other.order);
}

/** The message catalogues that a result needs, those of the features' parts too; known once their code is loaded. */
export function resultCatalogues(): readonly CataloguePage[] {
  return [...new Set(['tool' as const, ...loaded.flatMap(({ catalogue }) => catalogue ?? [])])];
}

/** The features' parts at a position of a result. */
export function ResultParts({ place, ...props }: ResultPartProps & { place: ResultPlace }) {
  return loaded
    .filter((part) => part.place === place)
    .map(({ order, Part }) => <Part key={order} {...props} />);
}
