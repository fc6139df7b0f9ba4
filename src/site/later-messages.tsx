import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { CataloguePage, Locale } from '../i18n/languages.ts';
import type { Messages } from '../i18n/translate.ts';
import { TranslationProvider, useLocale } from './translation.tsx';

/** Messages that came with a page, by language: everything that lazily loaded code needs. */
const brought = new Map<string, Messages>();
/** Messages that were loaded, by language and catalogue pages. */
const loaded = new Map<string, Messages>();

const keyOf = (locale: string, pages: readonly CataloguePage[]) => `${locale}/${pages.join('.')}`;

/** Keeps messages that came with the page: nothing of its language is loaded then. */
export function keepMessages(locale: Locale, messages: Messages): void {
  brought.set(locale, messages);
}

/**
 * Loads the messages of lazily loaded code; once for a document and language.
 * @throws Error or TypeError without the messages
 */
export async function loadLaterMessages(locale: Locale, pages: readonly CataloguePage[]): Promise<void> {
  const key = keyOf(locale, pages);
  if (pages.length === 0 || brought.has(locale) || loaded.has(key)) return;
  const response = await fetch(`/messages/${key}.json`);
  if (!response.ok) throw new Error(`GET ${response.url}: status ${response.status}`);
  loaded.set(key, (await response.json()) as Messages);
}

/** On the server the page's own provider has them all. */
const none: Messages = {};

interface LaterMessagesProps {
  pages: readonly CataloguePage[];
  children: ReactNode;
}

/**
 * Adds messages that {@link loadLaterMessages} has loaded, or that came with the page, to those of the page. After a
 * change of language it shows nothing until they are there.
 */
export function LaterMessages({ pages, children }: LaterMessagesProps) {
  const locale = useLocale();
  const [, setArrived] = useState('');
  const key = keyOf(locale, pages);
  const messages = loaded.get(key) ?? brought.get(locale) ?? (import.meta.env.SSR ? none : null);
  const load = useEffectEvent((wanted: string) => {
    // The next look-up retries and reports the error: a result that is shown already has its messages.
    loadLaterMessages(locale, pages).then(
      () => setArrived(wanted),
      () => {},
    );
  });
  const isMissing = messages === null;
  useEffect(() => {
    if (isMissing) load(key);
  }, [isMissing, key]);
  return (
    messages !== null && (
      <TranslationProvider locale={locale} messages={messages}>
        {children}
      </TranslationProvider>
    )
  );
}
