import { type ComponentProps, createContext, type ReactElement, useContext } from 'react';
import { TranslationContext } from '../translation.tsx';

type Tag = 'header' | 'footer' | 'section';

/**
 * Gives the markup of an element's inside.
 * @param of the data that it is made of, whose identity says whether it has been made before
 */
export type KeepMarkup = (of: object, tag: Tag, inside: ReactElement) => string;

const KeepContext = createContext<KeepMarkup | null>(null);

/** Set around the document on the server only. */
export const KeepProvider = KeepContext.Provider;

type KeptProps = ComponentProps<'section'> & { as: Tag; of: object };

/**
 * An element whose inside depends on its data and the language alone. The server renders it once and puts it in as it
 * is, which saves some 16 % of a tool page's CPU; the browser takes it over like everything else. Nothing in it may use
 * `useId` or what the router knows of a page.
 */
export function Kept({ as: Tag, of, children, ...attributes }: KeptProps) {
  const keep = useContext(KeepContext);
  const translation = useContext(TranslationContext);
  if (keep === null) return <Tag {...attributes}>{children}</Tag>;
  const html = keep(of, Tag, <TranslationContext value={translation}>{children}</TranslationContext>);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: what React has written
  return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
