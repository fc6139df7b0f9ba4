import { type Locale, localeFor } from '../../../i18n/languages.ts';
import type { LanguageLink } from '../../addressing/page-addresses.ts';
import { useMounted } from '../mounted.ts';

/** Languages of ours that the visitor reads, by what the browser asks pages for. */
function readLanguages(): (Locale | undefined)[] {
  return navigator.languages.map((tag) => localeFor(tag.toLowerCase()));
}

/**
 * The languages of a page with those first that this visitor is likely to want: the present one, those of the browser,
 * and then the others in their order. Pages are the same for everybody, so the browser does it once it has taken over.
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
