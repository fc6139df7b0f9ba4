import { type Locale, localeFor } from '../../../i18n/languages.ts';
import type { LanguageLink } from '../../addressing/page-addresses.ts';
import { useMounted } from '../../browser/mounted.ts';

/** Our languages that the visitor reads, by the browser's preferences. */
function readLanguages(): (Locale | undefined)[] {
  return navigator.languages.map((tag) => localeFor(tag.toLowerCase()));
}

/**
 * The languages of a page, those likely for this visitor first: the present one, the browser's, then the others in
 * order. Pages are the same for all visitors, so the browser sorts them after hydration.
 */
export function useLikelyFirst(languages: readonly LanguageLink[]): readonly LanguageLink[] {
  const isMounted = useMounted();
  if (!isMounted) return languages;
  const [present, ...others] = languages;
  const read = readLanguages();
  const rank = ({ locale }: LanguageLink) => {
    const at = read.indexOf(locale);
    return at === -1 ? read.length : at;
  };
  return present === undefined
    ? others
    : [present, ...others.toSorted((one, other) => rank(one) - rank(other))];
}
