import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import { z } from 'zod';
import { defaultLocale, isLocale } from './languages.ts';
import { partsOf } from './message-parts.ts';
import type { Messages } from './translate.ts';

/** A site's own messages. */
export interface OwnWords {
  /** By `{language}/{page}`; the catalogue's others stay. */
  readonly messages: ReadonlyMap<string, Messages>;
  /** Those that the catalogues have no place for: the catalogues' own stay. */
  readonly leftOut: readonly { readonly file: string; readonly what: string }[];
}

const file = z.record(z.string(), z.string('must be a text'));

const usesOf = (message: string): string => [...partsOf(message).uses.keys()].sort().join(', ') || 'none';

/** Reads a file of messages. @throws Error which names what is wrong in it */
function read(path: string): Readonly<Record<string, string>> {
  const { data, error } = file.safeParse(JSON.parse(readFileSync(path, 'utf8')));
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
export function readOwnWords(folder: string): OwnWords {
  const catalogues = new URL('./locales/', import.meta.url);
  const pages = new Set(globSync('*.json', { cwd: new URL(`${defaultLocale}/`, catalogues) }));
  const messages = new Map<string, Messages>();
  const leftOut: { file: string; what: string }[] = [];
  const mistakes: string[] = [];

  function compiled(path: string, texts: Readonly<Record<string, string>>, page: string): Messages {
    const english = read(new URL(`${defaultLocale}/${page}`, catalogues).pathname);
    const own: Record<string, Messages[string]> = {};
    for (const [key, message] of Object.entries(texts))
      try {
        const what = misfit(key, message, english);
        if (what === null) own[key] = compile(message);
        else leftOut.push({ file: path, what });
      } catch (error) {
        mistakes.push(`${path}: "${key}" is no ICU message: ${(error as Error).message}`);
      }
    return own;
  }

  for (const name of globSync('**/*.*', { cwd: folder }).sort()) {
    const path = join(folder, name);
    const [locale = '', page = '', ...rest] = name.split('/');
    if (!isLocale(locale)) leftOut.push({ file: path, what: `"${locale}" is no language of the product` });
    else if (rest.length > 0 || !pages.has(page))
      leftOut.push({ file: path, what: 'the product has no page of messages with this name' });
    else
      try {
        messages.set(`${locale}/${page.replace('.json', '')}`, compiled(path, read(path), page));
      } catch (error) {
        mistakes.push(`${path}: ${(error as Error).message}`);
      }
  }
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  return { messages, leftOut };
}
