import type { ComponentType } from 'react';
import type { DocumentData } from '../document/document-data.ts';

/**
 * A position in the layout where a feature may show something on every page: in the head, before or after the present
 * items; between the page and the footer; in or below the footer's last line; at the end of the page; or below the
 * tool's result.
 */
export type LayoutPlace =
  | 'head-start'
  | 'head-end'
  | 'before-footer'
  | 'footer-line'
  | 'footer-end'
  | 'end'
  | 'below-result';

/**
 * A feature's additions to the layout. The default export of `features/NAME/browser/layout.tsx`; every page loads it.
 */
export interface LayoutPart {
  /** Parts of one place stand in ascending order. */
  readonly order: number;
  /** Components may render nothing. */
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

/** The features' components at a position of the layout. */
export function LayoutParts({ place, page }: { place: LayoutPlace; page: DocumentData }) {
  return provided.map(({ order, places }) => {
    const Part = places[place];
    return Part !== undefined && <Part key={order} page={page} />;
  });
}
