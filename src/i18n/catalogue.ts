import { readdirSync, readFileSync, statSync } from 'node:fs';
import compile from 'icu-minify/compile';
import { type CataloguePage, defaultLocale, type Locale, locales } from './languages.ts';
import { pseudoMessages } from './pseudo.ts';
import { createTranslate, type Messages, type Translate } from './translate.ts';

export interface CatalogueOptions {
  /** Folder with a folder for each language. */
  readonly folder?: URL;
  /** Read a file again after it has changed; for development. */
  readonly reread?: boolean;
  /** Show English as longer, accented text (en-XA) and Arabic as English written from the right (ar-XB); for development. */
  readonly pseudo?: boolean;
  /** A site's own messages, by `{language}/{page}`: they replace those of the files. */
  readonly own?: ReadonlyMap<string, Messages>;
}

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Opens a folder of catalogues. A file is read and compiled when its first message is needed. */
export function openCatalogue({
  folder = new URL('./locales/', import.meta.url),
  reread = false,
  pseudo = false,
  own: ownWords = new Map(),
}: CatalogueOptions = {}) {
  const names = new Set(readdirSync(folder));
  const compiled = new Map<string, { version: number; messages: Messages | null }>();
  const merged = new Map<string, Messages>();

  /** The messages of a file; null when it does not exist. */
  function read(locale: Locale, page: string): Messages | null {
    const name = `${locale}/${page}`;
    const before = compiled.get(name);
    if (before !== undefined && !reread) return before.messages;
    const file = new URL(`${name}.json`, folder);
    const version = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (before?.version === version) return before.messages;
    const messages = version === 0 ? null : compileFile(readFileSync(file, 'utf8'), name);
    compiled.set(name, { version, messages });
    return messages;
  }

  function loadMessages(locale: Locale, page: string): Messages {
    const name = `${locale}/${page}`;
    const known = reread ? undefined : merged.get(name);
    if (known !== undefined) return known;
    if (!namePattern.test(page)) throw new Error(`"${page}" is no name of a message catalogue`);
    const english = read(defaultLocale, page);
    if (english === null) throw new Error(`There is no message catalogue "${page}"`);
    const own = pseudo ? pseudoMessages(english, locale) : read(locale, page);
    const words = ownWords.get(name);
    const messages = own === null && words === undefined ? english : { ...english, ...own, ...words };
    merged.set(name, messages);
    return messages;
  }

  const english = names.has(defaultLocale) ? readdirSync(new URL(`${defaultLocale}/`, folder)) : [];
  return {
    /** The languages that have a folder, in the order of `locales`. */
    availableLocales: locales.filter((locale) => names.has(locale)),
    /** The names of all catalogue pages. */
    pages: new Set(english.map((file) => file.replace(/\.json$/, ''))),
    /**
     * The compiled messages of one page in one language; English replaces a missing message, page or language.
     * @throws Error when English has no such page, or a file contains no messages
     */
    loadMessages,
  };
}

function compileFile(json: string, name: string): Messages {
  const messages: Record<string, Messages[string]> = {};
  for (const [key, message] of Object.entries(JSON.parse(json) as object)) {
    if (typeof message !== 'string') throw new Error(`${name}.json: "${key}" is no text`);
    try {
      messages[key] = compile(message);
    } catch (cause) {
      throw new Error(`${name}.json: "${key}" is no ICU message`, { cause });
    }
  }
  return messages;
}

let catalogue = openCatalogue();
let configured: CatalogueOptions = {};

/** Sets how the site's own catalogues are read, before the first page is made. Earlier options stay. */
export function configureCatalogue(options: CatalogueOptions): void {
  configured = { ...configured, ...options };
  catalogue = openCatalogue(configured);
}

/** The languages that have texts. */
export function availableLocales(): readonly Locale[] {
  return catalogue.availableLocales;
}

/** The names of all catalogue pages. */
export function cataloguePages(): ReadonlySet<string> {
  return catalogue.pages;
}

/** {@link Catalogue.loadMessages} of the site's own catalogues. */
export function loadMessages(locale: Locale, page: CataloguePage | (string & {})): Messages {
  return catalogue.loadMessages(locale, page);
}

/** Translates a page's messages into a language, from the site's own catalogues. */
export function translateTo<P extends CataloguePage>(locale: Locale, page: P): Translate<P> {
  return createTranslate<P>(locale, loadMessages(locale, page));
}
