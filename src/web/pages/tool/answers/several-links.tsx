import type { ComponentType } from 'react';
import type { CataloguePage } from '../../../../i18n/languages.ts';
import type { ErrorAnswer, ResolveAnswer } from '../../../api.ts';
import type { AskingPage } from '../../../browser/downloads/resolve-link.ts';
import { laterPart } from '../../../browser/navigation/later-part.tsx';
import type { DownloadButton } from '../../../configuration/configuration.ts';

/** One of several posts that a text names. */
export interface ListedLink {
  readonly link: string;
  /** What became of it so far; null where nobody asked, or the server had no time left for it. */
  readonly answer: ResolveAnswer | ErrorAnswer | null;
}

/** What stands in the place of a result where a text names several posts. */
export interface SeveralLinksProps {
  readonly text: string;
  /** Those of the text that are listed, in its order. */
  readonly links: readonly ListedLink[];
  /** The page's own path. */
  readonly action: string;
  readonly asking: AskingPage;
  readonly buttons: readonly DownloadButton[];
  onAnother(): void;
  /** Has a text read out. */
  onAnnounce(text: string): void;
}

/** What a feature makes of texts with several links. Without one, the first link counts. */
export interface SeveralLinks {
  /** Its message catalogue, which comes with the page. */
  readonly catalogue: CataloguePage;
  /** Addresses of the posts that a text names, each once; a bounded number. Fewer than two are not listed. */
  linksIn(text: string): readonly string[];
  readonly Part: ComponentType<SeveralLinksProps>;
}

type Loader = () => Promise<SeveralLinks>;

let load: Loader | null = null;
let loaded: SeveralLinks | null = null;

/** Says where the feature comes from. To be called before the first link is looked at. */
export function provideSeveralLinks(loader: Loader): void {
  load = loader;
}

/** Fetches the feature, if there is one. */
export async function loadSeveralLinks(): Promise<void> {
  loaded = (await load?.()) ?? null;
}

/** The message catalogue that the feature needs, on the server. */
export const severalLinksCatalogues = (): readonly CataloguePage[] =>
  loaded === null ? [] : [loaded.catalogue];

/** Addresses of the posts that a text names; none where no feature lists them, or its code is not there yet. */
export const linksIn = (text: string): readonly string[] => loaded?.linksIn(text) ?? [];

/** Whether a text may name several posts, and a feature may list them. */
export const isListed = (): boolean => load !== null;

function List(props: SeveralLinksProps) {
  return loaded === null ? null : <loaded.Part {...props} />;
}

/** Fetched when somebody has given several links. */
export const laterList = laterPart(
  'several links',
  async () => {
    await loadSeveralLinks();
    return List;
  },
  import.meta.env.SSR ? List : null,
);
