import type { Locale } from '../../i18n/languages.ts';
import central from '../ui/typeface/jost-central.woff2?url';
import cyrillic from '../ui/typeface/jost-cyrillic.woff2?url';
import latin from '../ui/typeface/jost-latin.woff2?url';
import western from '../ui/typeface/jost-western.woff2?url';

/** The letters of headings: which file of them a page needs. The styles know it by its name (`ui/typeface.css`). */
export interface Typeface {
  readonly name: 'latin' | 'western' | 'central' | 'cyrillic' | 'name';
  readonly href: string;
}

const face = (name: Typeface['name'], href: string): Typeface => ({ name, href });
const faces = {
  latin: face('latin', latin),
  western: face('western', western),
  central: face('central', central),
  cyrillic: face('cyrillic', cyrillic),
  /** Other scripts: their headings are in the system's own face, and the site's name is in this one. */
  name: face('name', latin),
};

/** The letters that each language's pages need. */
export const typefaces: Readonly<Record<Locale, Typeface>> = {
  en: faces.latin,
  ar: faces.name,
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
  el: faces.name,
  nl: faces.western,
  da: faces.western,
  tl: faces.latin,
  th: faces.name,
  hi: faces.name,
  id: faces.latin,
  ko: faces.name,
  zh: faces.name,
  ja: faces.name,
};
