import { type ComponentType, createContext, memo, use } from 'react';
import type { DocumentData } from '../document/document-data.ts';

/**
 * A position in the layout where a feature may show something on every page: in the head, before or after the present
 * items; below the header; between the page and the footer; in or below the footer's last line; at the end of the page;
 * or below the result or the steps of a downloader page.
 */
export type LayoutPlace =
  | 'head-start'
  | 'head-end'
  | 'below-header'
  | 'before-footer'
  | 'footer-line'
  | 'footer-end'
  | 'end'
  | 'below-result'
  | 'below-steps';

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

/** The features' additions, in ascending order. */
export const LayoutPartsContext = createContext<readonly LayoutPart[]>([]);

/**
 * The features' components at a position of the layout. React removes what the server rendered of a part that is
 * rendered again before its code has arrived: that must not happen with each rendering of the page.
 */
export const LayoutParts = memo(({ place, page }: { place: LayoutPlace; page: DocumentData }) =>
  use(LayoutPartsContext).map(({ order, places }) => {
    const Part = places[place];
    return Part !== undefined && <Part key={order} page={page} />;
  }),
);
