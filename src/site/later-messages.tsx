import type { ReactNode } from 'react';
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
 * Loads the messages of lazily loaded code, in the page's language; once for a document.
 * @throws Error or TypeError without the messages
 */
export async function loadLaterMessages(pages: readonly CataloguePage[]): Promise<void> {
  const { lang } = document.documentElement;
  const key = keyOf(lang, pages);
  if (pages.length === 0 || brought.has(lang) || loaded.has(key)) return;
  const response = await fetch(`/messages/${key}.json`);
  if (!response.ok) throw new Error(`GET ${response.url}: status ${response.status}`);
  loaded.set(key, (await response.json()) as Messages);
}

const none: Messages = {};

interface LaterMessagesProps {
  pages: readonly CataloguePage[];
  children: ReactNode;
}

/** Adds messages that {@link loadLaterMessages} has loaded, or that came with the page, to those of the page. */
export function LaterMessages({ pages, children }: LaterMessagesProps) {
  const locale = useLocale();
  const messages = loaded.get(keyOf(locale, pages)) ?? brought.get(locale) ?? none;
  return (
    <TranslationProvider locale={locale} messages={messages}>
      {children}
    </TranslationProvider>
  );
}
