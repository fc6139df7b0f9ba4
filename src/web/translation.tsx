import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { CataloguePage, Locale } from '../i18n/languages.ts';
import { createTranslate, type Messages, type Translate } from '../i18n/translate.ts';

interface Translation {
  readonly locale: Locale;
  readonly messages: Messages;
  readonly t: Translate<CataloguePage>;
}

/** What the nearest provider gives. */
const TranslationContext = createContext<Translation | null>(null);

/** Gives everything inside it the page's language and its messages, added to those of the provider around it. */
export function TranslationProvider(props: { locale: Locale; messages: Messages; children: ReactNode }) {
  const outer = useContext(TranslationContext)?.messages;
  const { locale, messages } = props;
  const translation = useMemo(() => {
    const all = { ...outer, ...messages };
    return { locale, messages: all, t: createTranslate<CataloguePage>(locale, all) };
  }, [outer, locale, messages]);
  return <TranslationContext value={translation}>{props.children}</TranslationContext>;
}

function useTranslation(): Translation {
  const translation = useContext(TranslationContext);
  if (translation === null) throw new Error('A component that shows text stands outside TranslationProvider');
  return translation;
}

/** The present language. */
export function useLocale(): Locale {
  return useTranslation().locale;
}

/**
 * The messages of the layout and of the catalogue pages that the providers around give. For what the layout says and
 * what changes while a page is used: what a page always says comes as finished text from its loader, so that the browser
 * is not sent a whole catalogue page for it.
 * @typeParam P those pages, for the compiler
 */
export function useTranslate<P extends CataloguePage = 'tool'>(): Translate<'common' | P> {
  // Which messages are there, the loaders decide; a missing one throws in development.
  return useTranslation().t as Translate<'common' | P>;
}
