import type { ComponentType } from 'react';
import type { CataloguePage } from '../../../../i18n/languages.ts';
import type { ResolveResult } from '../../../api.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import type { OtherPage } from '../files/choose-options.ts';

/**
 * Where in a result a feature shows something: over the cover, below the buttons for files, or among the post's details
 * at the end of the card.
 */
export type ResultPlace = 'cover' | 'files' | 'details';

/** What a feature's part of a result is given. */
export interface ResultPartProps {
  readonly result: ResolveResult;
  /** Files that the page offers, in its order. */
  readonly buttons: readonly DownloadButton[];
  /** The site's other downloader pages. */
  readonly others: readonly OtherPage[];
  /** Has a text read out. */
  onAnnounce(text: string): void;
}

/**
 * What a feature adds to every result. The default export of `features/NAME/browser/result.tsx`; its code comes with the
 * code of the result, so heavy parts load what they need when they are opened.
 */
export interface ResultPart {
  readonly place: ResultPlace;
  /** Parts of one place stand in ascending order. */
  readonly order: number;
  /** Its message catalogue, which comes with the page. */
  readonly catalogue?: CataloguePage;
  /** Renders nothing where it has nothing to offer. */
  readonly Part: ComponentType<ResultPartProps>;
}

type Loader = () => Promise<readonly ResultPart[]>;

let load: Loader = async () => [];
let loaded: readonly ResultPart[] = [];

/** Says where the features' parts come from. To be called before the first result is shown. */
export function provideResultParts(loader: Loader): void {
  load = loader;
}

/** Fetches the features' parts; afterwards results show them. */
export async function loadResultParts(): Promise<void> {
  loaded = (await load()).toSorted((one, other) => one.order - other.order);
}

/** The message catalogues that the features' parts need, on the server. */
export function resultCatalogues(): readonly CataloguePage[] {
  return loaded.flatMap(({ catalogue }) => catalogue ?? []);
}

/** What features show in a place of a result. */
export function ResultParts({ place, ...props }: ResultPartProps & { place: ResultPlace }) {
  return loaded
    .filter((part) => part.place === place)
    .map(({ order, Part }) => <Part key={order} {...props} />);
}
