import type { ComponentType } from 'react';
import type { CataloguePage } from '../../../../i18n/languages.ts';
import type { ErrorResponse, ListResult, ResolveResponse } from '../../../api.ts';
import type { RequestingPage } from '../../../browser/downloads/resolve-link.ts';
import { lazyPart } from '../../../browser/navigation/lazy-part.tsx';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import { LaterMessages, loadLaterMessages } from '../../../later-messages.tsx';
import { presentLocale } from '../../../translation.tsx';

/** One of several posts that a text names. */
export interface ListedLink {
  readonly link: string;
  /** Its result so far; null before a request, or when the server had no time left for it. */
  readonly response: ResolveResponse | ErrorResponse | null;
}

/** Replaces the result when a text names several posts. */
export interface SeveralLinksProps {
  readonly text: string;
  /** The listed links of the text, in order. */
  readonly links: readonly ListedLink[];
  /** The platform's list that the posts come from, if any. */
  readonly source: ListResult | null;
  /** The page's own path. */
  readonly action: string;
  readonly asking: RequestingPage;
  readonly buttons: readonly DownloadButton[];
  onAnother(): void;
  /** Announces a text to screen readers. */
  onAnnounce(text: string): void;
}

/** A feature's component for texts with several links. Without one, only the first link counts. */
export interface SeveralLinks {
  /** Its message catalogue, which is loaded with its code. */
  readonly catalogue: CataloguePage;
  /** Addresses of the posts that a text names, each once; a bounded number. Fewer than two are not listed. */
  linksIn(text: string): readonly string[];
  readonly Part: ComponentType<SeveralLinksProps>;
}

/** Imports the feature's component; undefined without such a feature. */
const [load] = Object.values(
  import.meta.glob<SeveralLinks>('../../../../features/*/browser/list.tsx', { import: 'severalLinks' }),
);
let loaded: SeveralLinks | null = null;

/** Loads the feature, if there is one. */
export async function loadSeveralLinks(): Promise<void> {
  loaded = (await load?.()) ?? null;
}

/** The message catalogues that a list needs; known once its code is loaded. */
export const severalLinksCatalogues = (): readonly CataloguePage[] =>
  loaded === null ? [] : ['tool', loaded.catalogue];

/** Addresses of the posts that a text names; empty without such a feature, or before its code is loaded. */
export const linksIn = (text: string): readonly string[] => loaded?.linksIn(text) ?? [];

/** Whether a text may name several posts, and a feature may list them. */
export const isListed = (): boolean => load !== undefined;

function List(props: SeveralLinksProps) {
  return loaded === null ? null : (
    <LaterMessages pages={severalLinksCatalogues()}>
      <loaded.Part {...props} />
    </LaterMessages>
  );
}

/** Loaded when a visitor has entered several links. */
export const laterList = lazyPart(
  'several links',
  async () => {
    await loadSeveralLinks();
    await loadLaterMessages(presentLocale(), severalLinksCatalogues());
    return List;
  },
  import.meta.env.SSR ? List : null,
);
