import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { CataloguePage, Locale } from '../i18n/languages.ts';
import { createTranslate, type Messages, type Translate } from '../i18n/translate.ts';

interface Texts {
  readonly locale: Locale;
  readonly messages: Messages;
  readonly t: Translate<CataloguePage>;
}

/** What the nearest provider gives. */
export const TextsContext = createContext<Texts | null>(null);

/** Gives everything inside it the page's language and its messages, added to those of the provider around it. */
export function TextsProvider(props: { locale: Locale; messages: Messages; children: ReactNode }) {
  const outer = useContext(TextsContext)?.messages;
  const { locale, messages } = props;
  const texts = useMemo(() => {
    const all = { ...outer, ...messages };
    return { locale, messages: all, t: createTranslate<CataloguePage>(locale, all) };
  }, [outer, locale, messages]);
  return <TextsContext value={texts}>{props.children}</TextsContext>;
}

function useTexts(): Texts {
  const texts = useContext(TextsContext);
  if (texts === null) throw new Error('A component that shows text stands outside TextsProvider');
  return texts;
}

/** The present language. */
export function useLocale(): Locale {
  return useTexts().locale;
}

/**
 * The messages of the layout and of the catalogue pages that the providers around give. For what the layout says and
 * what changes while a page is used: what a page always says comes as finished text from its loader, so that the browser
 * is not sent a whole catalogue page for it.
 * @typeParam P those pages, for the compiler
 */
export function useTranslate<P extends CataloguePage = 'tool'>(): Translate<'common' | P> {
  // Which messages are there, the loaders decide; a missing one throws in development.
  return useTexts().t as Translate<'common' | P>;
}
