import type { Locale } from '../../i18n/languages.ts';
import central from '../ui/typeface/jost-central.woff2?url';
import cyrillic from '../ui/typeface/jost-cyrillic.woff2?url';
import latin from '../ui/typeface/jost-latin.woff2?url';
import western from '../ui/typeface/jost-western.woff2?url';

/** The letters of headings: which file of them a page needs. The styles know it by its name (`ui/typeface.css`). */
export interface Typeface {
  readonly name: 'latin' | 'western' | 'central' | 'cyrillic';
  readonly href: string;
}

const face = (name: Typeface['name'], href: string): Typeface => ({ name, href });
const faces = {
  latin: face('latin', latin),
  western: face('western', western),
  central: face('central', central),
  cyrillic: face('cyrillic', cyrillic),
};

/** Null for scripts that it does not have: their headings are in the system's own face. */
export const typefaces: Readonly<Record<Locale, Typeface | null>> = {
  en: faces.latin,
  ar: null,
  pl: faces.central,
  tr: faces.central,
  it: faces.western,
  bg: faces.cyrillic,
  ru: faces.cyrillic,
  hu: faces.central,
  es: faces.western,
  de: faces.western,
  pt: faces.western,
  sr: faces.central,
  sv: faces.western,
  fr: faces.western,
  el: null,
  nl: faces.western,
  da: faces.western,
  tl: faces.latin,
  th: null,
  hi: null,
  id: faces.latin,
  ko: null,
  zh: null,
  ja: null,
};
