import { type ComponentType, createContext, useContext } from 'react';
import type { ShownDesk } from './desk-page.ts';

/** The view of the data from a page's `load`. */
// biome-ignore lint/suspicious/noExplicitAny: each view has its own data
type DeskView = ComponentType<{ readonly data: any }>;

/** Views by the names of their pages: the default export of a feature's `desk/views.tsx`. */
export type DeskViews = Readonly<Record<string, DeskView>>;

/** Renders a page of the desk as HTML. */
export type RenderDesk = (shown: ShownDesk, views: DeskViews) => string;

type PageContext = Pick<
  Extract<ShownDesk['page'], { kind: 'page' }>,
  'path' | 'isFirst' | 'token' | 'sent' | 'shown'
>;

const Page = createContext<PageContext | null>(null);

/** Gives a page's forms what they need. */
export const DeskPageProvider = Page.Provider;

/** The page that is rendered. @throws Error outside of the desk */
export function useDeskPage(): PageContext {
  const page = useContext(Page);
  if (page === null) throw new Error('This is no page of the desk.');
  return page;
}

/** The answer of an action of this page to its form; null for a page without a submitted form. */
export const useShown = <Shown extends object>(): Shown | null => useDeskPage().shown as Shown | null;
