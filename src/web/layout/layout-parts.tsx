import type { ComponentType } from 'react';
import type { DocumentData } from '../document/document-data.ts';

/**
 * Where a feature shows something on every page: in the head, before or behind what is there already; between the page
 * and the footer; in the footer's last line or behind that; at the end of the page; or below the result of the tool.
 */
export type LayoutPlace =
  | 'head-start'
  | 'head-end'
  | 'before-footer'
  | 'footer-line'
  | 'footer-end'
  | 'end'
  | 'below-result';

/** What a feature adds to the layout. The default export of `features/NAME/browser/layout.tsx`; every page loads it. */
export interface LayoutPart {
  /** Parts of one place stand in ascending order. */
  readonly order: number;
  /** Render nothing where they have nothing to say. */
  readonly places: { readonly [Place in LayoutPlace]?: ComponentType<{ readonly page: DocumentData }> };
  /** The inline scripts of a page's part of the head, on the server: its policy names them. */
  scripts?(page: DocumentData): readonly string[];
}

let provided: readonly LayoutPart[] = [];

/** Says which parts there are. To be called before the first page is shown. */
export function provideLayoutParts(parts: readonly LayoutPart[]): void {
  provided = parts.toSorted((one, other) => one.order - other.order);
}

/** The inline scripts of the features' parts. */
export const layoutScripts = (page: DocumentData): string[] =>
  provided.flatMap(({ scripts }) => scripts?.(page) ?? []);

/** What features show in a place of the layout. */
export function LayoutParts({ place, page }: { place: LayoutPlace; page: DocumentData }) {
  return provided.map(({ order, places }) => {
    const Part = places[place];
    return Part !== undefined && <Part key={order} page={page} />;
  });
}
