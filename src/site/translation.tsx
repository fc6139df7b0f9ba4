import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type CataloguePage, defaultLocale, type Locale, localeFor } from '../i18n/languages.ts';
import { createTranslate, type Messages, type Translate } from '../i18n/translate.ts';

interface Translation {
  readonly locale: Locale;
  readonly messages: Messages;
  readonly t: Translate<CataloguePage>;
}

/** The nearest provider's value. */
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

/** The language of the shown document, for code outside of components. */
export const presentLocale = (): Locale =>
  localeFor(document.documentElement.lang.toLowerCase()) ?? defaultLocale;

/** The present language. */
export function useLocale(): Locale {
  return useTranslation().locale;
}

/**
 * The messages of the layout and of the catalogue pages of the surrounding providers. For the layout and for texts that
 * change during use: the loader returns texts that never change, so that the browser needs no whole catalogue page.
 * @typeParam P those pages, for the compiler
 */
export function useTranslate<P extends CataloguePage = 'tool'>(): Translate<'common' | P> {
  // The loaders decide which messages are present; a missing one throws in development.
  return useTranslation().t as Translate<'common' | P>;
}
