import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import { z } from 'zod';
import {
  type LegalDocumentName,
  legalDocumentNames,
  parseLegalDocument,
  unknownValues,
} from '../../content/legal-documents.ts';
import { defaultLocale, isLocale, type Locale } from '../../i18n/languages.ts';
import { partsOf } from '../../i18n/message-parts.ts';
import type { Messages } from '../../i18n/translate.ts';
import { EnvironmentError } from '../../process/variables.ts';
import type { SiteLogo } from '../../site/loaders/services.ts';
import type { Finding } from '../commands/checks.ts';
import { iconFiles, logoOf, type OwnFile } from './pictures.ts';

/** The files of a site's folder (`SITE_DIR`) besides its configuration. */
export interface OwnSite {
  /** Another text after each change: pages made of other files are not shared. Empty without a folder. */
  readonly version: string;
  readonly words: ReadonlyMap<string, Messages>;
  /** Folder of the legal documents; null for none. */
  readonly legal: string | null;
  readonly logo: SiteLogo | null;
  /** Files that take the place of the product's, by their path on the site. */
  readonly files: ReadonlyMap<string, OwnFile>;
  /** Whether the site has an icon of its own. */
  readonly hasIcon: boolean;
  /** Texts without a place in this version of the product, which shows its own instead. */
  readonly leftOut: readonly Finding[];
  /** Texts that the product's own contradict. */
  readonly gaps: readonly Finding[];
}

const nothing: OwnSite = {
  ...{ version: '', words: new Map(), legal: null, logo: null, files: new Map(), hasIcon: false },
  ...{ leftOut: [], gaps: [] },
};

const leftOut = (of: string, what: string): Finding => ({
  ...{ of, level: 'warning', what: `is left out: ${what}` },
  todo: 'correct or remove it (docs/site-configuration.md, “Your site’s folder”)',
});

/** Checks `{folder}/{document}/{language}.md`. @throws Error with one line for each mistake */
async function readLegal(folder: string, locales: readonly Locale[]) {
  const unplaced: Finding[] = [];
  const gaps: Finding[] = [];
  const mistakes: string[] = [];
  const found = new Map<LegalDocumentName, Set<string>>();
  for (const name of globSync('**/*.*', { cwd: folder }).sort()) {
    const file = join(folder, name);
    const [, document = '', locale = ''] = /^([^/]+)\/([^/]+)\.md$/.exec(name) ?? [];
    const known = legalDocumentNames.find((one) => one === document);
    if (known === undefined)
      unplaced.push(
        leftOut(file, `it must be {document}/{language}.md, of ${legalDocumentNames.join(', ')}`),
      );
    else if (!isLocale(locale)) unplaced.push(leftOut(file, `"${locale}" is no language of the product`));
    else {
      const source = readFileSync(file, 'utf8');
      await parseLegalDocument(source, file).catch((error: Error) => mistakes.push(error.message));
      found.set(known, (found.get(known) ?? new Set()).add(locale));
      for (const value of unknownValues(source))
        gaps.push({ of: file, level: 'warning', what: `{${value}} stays as it is: no site has this value` });
    }
  }
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  for (const [document, own] of found) {
    const missing = locales.filter((locale) => !own.has(locale));
    if (missing.length > 0)
      gaps.push({
        ...{ of: join(folder, document), level: 'warning' },
        what: `visitors in ${missing.join(', ')} read the product's document, and others yours`,
        todo: 'write it in these languages, or remove them from "locales"',
      });
  }
  return { leftOut: unplaced, gaps };
}

const textsSchema = z.record(z.string(), z.string('must be a text'));

const usesOf = (message: string): string => [...partsOf(message).uses.keys()].sort().join(', ') || 'none';

/** Reads a file of messages. @throws Error which names what is wrong in it */
function readTexts(path: string): Readonly<Record<string, string>> {
  const { data, error } = textsSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (error) throw new Error(error.issues.map((one) => `${one.path.join('.')}: ${one.message}`).join('; '));
  return data;
}

/** Why a message has no place; null where it has one. */
function misfit(key: string, message: string, english: Readonly<Record<string, string>>): string | null {
  const original = english[key];
  if (original === undefined) return `"${key}" is no message of this page`;
  const [own, wanted] = [usesOf(message), usesOf(original)];
  return own === wanted ? null : `"${key}" has the values ${own}, and needs ${wanted}`;
}

/**
 * Reads a site's own messages from `{folder}/{language}/{page}.json`.
 * @throws Error with one line for each mistake, which names its file: no JSON, no texts, no ICU message
 */
function readWords(folder: string) {
  const catalogues = new URL('../../i18n/locales/', import.meta.url);
  const pages = new Set(globSync('*.json', { cwd: new URL(`${defaultLocale}/`, catalogues) }));
  const messages = new Map<string, Messages>();
  const unplaced: Finding[] = [];
  const mistakes: string[] = [];

  function compiled(path: string, texts: Readonly<Record<string, string>>, page: string): Messages {
    const english = readTexts(fileURLToPath(new URL(`${defaultLocale}/${page}`, catalogues)));
    const own: Record<string, Messages[string]> = {};
    for (const [key, message] of Object.entries(texts))
      try {
        const what = misfit(key, message, english);
        if (what === null) own[key] = compile(message);
        else unplaced.push(leftOut(path, what));
      } catch (error) {
        mistakes.push(`${path}: "${key}" is no ICU message: ${(error as Error).message}`);
      }
    return own;
  }

  for (const name of globSync('**/*.*', { cwd: folder }).sort()) {
    const path = join(folder, name);
    const [locale = '', page = '', ...rest] = name.split('/');
    if (!isLocale(locale)) unplaced.push(leftOut(path, `"${locale}" is no language of the product`));
    else if (rest.length > 0 || !pages.has(page))
      unplaced.push(leftOut(path, 'the product has no page of messages with this name'));
    else
      try {
        messages.set(`${locale}/${page.replace('.json', '')}`, compiled(path, readTexts(path), page));
      } catch (error) {
        mistakes.push(`${path}: ${(error as Error).message}`);
      }
  }
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return { messages, leftOut: unplaced };
}

/**
 * Reads the folder of the site's own texts and pictures.
 * @param folder undefined for a site without one
 * @throws EnvironmentError with one line for each mistake, which names its file
 */
export async function openOwnSite(folder: string | undefined, locales: readonly Locale[]): Promise<OwnSite> {
  if (folder === undefined) return nothing;
  const [legalFolder, wordsFolder] = [join(folder, 'legal'), join(folder, 'words')];
  const mistakes: string[] = [];
  async function read<T>(open: (folder: string) => T | Promise<T>, from: string): Promise<T | null> {
    try {
      return await open(from);
    } catch (error) {
      mistakes.push((error as Error).message);
      return null;
    }
  }
  const legal = await read((from) => readLegal(from, locales), legalFolder);
  const words = await read(readWords, wordsFolder);
  const icons = await read(iconFiles, folder);
  const logo = await read(logoOf, folder);
  if (legal === null || words === null || icons === null || logo === null)
    throw new EnvironmentError(`SITE_DIR:\n${mistakes.join('\n')}`);
  const parts = globSync(['site.config.json', '{icon,logo}.{svg,png}', '{legal,words}/**/*.*'], {
    cwd: folder,
  });
  const contents = parts.sort().map((name) => `${name} ${hash('sha256', readFileSync(join(folder, name)))}`);
  return {
    version: hash('sha256', contents.join('\n')).slice(0, 12),
    words: words.messages,
    legal: existsSync(legalFolder) ? legalFolder : null,
    logo: logo.shown,
    files: new Map([...icons, ...logo.files]),
    hasIcon: icons.size > 0,
    leftOut: [...legal.leftOut, ...words.leftOut],
    gaps: legal.gaps,
  };
}
