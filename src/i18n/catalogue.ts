import { readdirSync, readFileSync, statSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import { type CataloguePage, defaultLocale, type Locale, locales } from './languages.ts';
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

/** A page's messages in a language, of the site's own catalogues. */
export function loadMessages(locale: Locale, page: CataloguePage | (string & {})): Messages {
  return catalogue.loadMessages(locale, page);
}

/** Translates a page's messages into a language, from the site's own catalogues. */
export function translateTo<P extends CataloguePage>(locale: Locale, page: P): Translate<P> {
  return createTranslate<P>(locale, loadMessages(locale, page));
}

/**
 * Pseudo-locales for checking layouts before translations exist: accented English, a third longer, in place of English
 * (known as en-XA), and right-to-left English in place of Arabic (ar-XB).
 * @param english compiled
 * @returns null for every other language
 */
function pseudoMessages(english: Messages, locale: Locale): Messages | null {
  const change = changes[locale];
  if (change === undefined) return null;
  return Object.fromEntries(
    Object.entries(english).map(([key, message]) => [key, changeMessage(message, change)]),
  );
}

const plain = 'abcdefghijklmnopqrstuvwxyzAEIOUCDNSY';
const accented = 'áƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅÉÎÖÛÇÐÑŠÝ';

const changes: Partial<Record<Locale, (text: string) => string>> = {
  // Vowels twice: about the length that the wordiest languages need.
  en: (text) =>
    text.replace(
      /[a-zA-Z]/g,
      (letter) => (accented[plain.indexOf(letter)] ?? letter) + (/[aeiou]/.test(letter) ? letter : ''),
    ),
  // Right-to-left override around each word (UAX #9): reads backwards, wraps as Arabic does.
  ar: (text) => text.replace(/\S+/g, '\u202e$&\u202c'),
};

/**
 * Changes the words of a compiled message and keeps names: a node is `[name]`, `[name, type, options]` or, for a tag,
 * `[name, ...children]`.
 */
function changeMessage(message: CompiledMessage, change: (text: string) => string): CompiledMessage {
  return typeof message === 'string'
    ? change(message)
    : (message.map((node) => changeNode(node, change)) as CompiledMessage);
}

function changeNode(node: unknown, change: (text: string) => string): unknown {
  if (typeof node === 'string') return change(node);
  if (!Array.isArray(node) || node.length === 1) return node;
  const [name, type, options] = node as [string, unknown, unknown];
  if (typeof type !== 'number' || type === 0)
    return [name, ...node.slice(1).map((child) => changeNode(child, change))];
  if (typeof options !== 'object' || options === null || ![1, 2, 3].includes(type)) return node;
  const changed = Object.entries(options).map(([choice, branch]) => [
    choice,
    Array.isArray(branch) ? branch.map((child) => changeNode(child, change)) : changeNode(branch, change),
  ]);
  return [name, type, Object.assign(Object.create(null), Object.fromEntries(changed))];
}
