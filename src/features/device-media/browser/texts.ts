import { useEffect, useState } from 'react';
import type { Locale } from '../../../i18n/languages.ts';
import type { Messages } from '../../../i18n/translate.ts';
import { textsPath } from '../paths.ts';

const loading = new Map<Locale, Promise<Messages>>();

async function load(locale: Locale): Promise<Messages> {
  const response = await fetch(textsPath(locale));
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
  return (await response.json()) as Messages;
}

/**
 * The catalogue page `device-media`, which no page has from the start; null until it is there.
 * @param isWanted whether this browser makes anything of the post
 */
export function useTexts(locale: Locale, isWanted: boolean): Messages | null {
  const [texts, setTexts] = useState<Messages | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    const texts = loading.get(locale) ?? load(locale);
    loading.set(locale, texts);
    texts.then(
      (given) => {
        if (!isGone) setTexts(given);
      },
      (thrown: unknown) => {
        // Nothing is offered then: for developers. The next post tries again.
        loading.delete(locale);
        console.debug(thrown);
      },
    );
    return () => {
      isGone = true;
    };
  }, [locale, isWanted]);
  return texts;
}
