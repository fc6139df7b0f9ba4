import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Parts, partsOf } from '../../src/i18n/message-parts.ts';
import { fixedProblems } from './fixed-sentences.ts';
import { lengthProblem } from './limits.ts';
import { quotesOf, sameInEveryLanguage } from './rules.ts';
import { messageColumns } from './width.ts';

/** The messages of each page of each language. */
export type Catalogues = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, string>>>>;

export interface Findings {
  problems: string[];
  warnings: string[];
}

/** A message in another language with more words than this may not equal the English one. */
const maxSameWords = 3;

/**
 * Reads `{locale}/{page}.json` files.
 * @param folder path
 * @throws Error when a file is no flat object of texts
 */
export function readCatalogues(folder: string): Catalogues {
  const languages = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  return new Map(
    languages.sort().map((locale) => {
      const files = readdirSync(join(folder, locale)).filter((name) => name.endsWith('.json'));
      const pages = files.sort().map((name) => {
        const file = join(folder, locale, name);
        const messages: unknown = JSON.parse(readFileSync(file, 'utf8'));
        if (typeof messages !== 'object' || messages === null || Array.isArray(messages))
          throw new Error(`${file} is no object`);
        for (const [key, message] of Object.entries(messages))
          if (typeof message !== 'string') throw new Error(`${file}: "${key}" is no text`);
        return [name.slice(0, -'.json'.length), messages as Record<string, string>] as const;
      });
      return [locale, new Map(pages)] as const;
    }),
  );
}

/** Compares every language with English. */
export function checkCatalogues(catalogues: Catalogues, isLocale: (name: string) => boolean): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  const english = catalogues.get('en') ?? new Map<string, Record<string, string>>();
  for (const [locale, own] of catalogues) {
    if (!isLocale(locale)) {
      findings.problems.push(`${locale}: no language of the site`);
      continue;
    }
    for (const [page, texts] of english) {
      const messages = own.get(page);
      if (messages === undefined) findings.problems.push(`${locale}/${page}.json is missing`);
      else checkPage(locale, page, messages, texts, findings);
    }
    for (const page of own.keys())
      if (!english.has(page)) findings.problems.push(`${locale}/${page}.json: English has no such page`);
  }
  findings.problems.push(...fixedProblems(english));
  return findings;
}

type Page = Readonly<Record<string, string>>;

function checkPage(locale: string, page: string, messages: Page, english: Page, findings: Findings): void {
  const at = (key: string) => `${locale}/${page}.json: ${key}`;
  const order = Object.keys(english).filter((key) => key in messages);
  if (
    Object.keys(messages)
      .filter((key) => key in english)
      .join() !== order.join()
  )
    findings.warnings.push(`${locale}/${page}.json: the keys stand in another order than in English`);
  for (const key of Object.keys(english))
    if (!(key in messages)) findings.problems.push(`${at(key)} is missing`);
  for (const [key, message] of Object.entries(messages)) {
    const problem = (text: string) => findings.problems.push(`${at(key)} ${text}`);
    const original = english[key];
    if (original === undefined) problem('does not exist in English');
    if (message.trim() !== message || message === '') problem('is empty, or begins or ends with a space');
    const parts = parse(message);
    if (typeof parts === 'string') {
      problem(`is no ICU message: ${parts}`);
      continue;
    }
    checkPlurals(locale, parts, problem);
    const length = lengthProblem(`${page}:${key}`, messageColumns(message));
    if (length !== null) problem(length);
    for (const text of quotesOf(locale, parts.words)) findings.warnings.push(`${at(key)} ${text}`);
    if (original === undefined || locale === 'en') continue;
    if (message === original && isSentence(parts.words) && !sameInEveryLanguage.has(`${page}:${key}`))
      problem('is not translated');
    const originalParts = parse(original);
    if (typeof originalParts !== 'string') checkUses(parts, originalParts, problem);
  }
}

function parse(message: string): Parts | string {
  try {
    return partsOf(message);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isSentence(words: string): boolean {
  return (words.match(/\p{L}+/gu) ?? []).length > maxSameWords;
}

/** A language needs exactly the categories that its numbers fall into; `=0` and the like are free. */
function checkPlurals(locale: string, { plurals }: Parts, problem: (text: string) => void): void {
  for (const { name, type, categories } of plurals) {
    const needed = new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories;
    const given = categories.filter((category) => !category.startsWith('='));
    const missing = needed.filter((category) => !given.includes(category));
    const extra = given.filter((category) => !needed.includes(category as Intl.LDMLPluralRule));
    if (missing.length > 0) problem(`lacks the plural form ${missing.join(', ')} of "${name}"`);
    if (extra.length > 0)
      problem(`has the plural form ${extra.join(', ')} of "${name}", which the language has not`);
  }
}

function checkUses(parts: Parts, original: Parts, problem: (text: string) => void): void {
  for (const [name, ways] of original.uses) {
    const own = parts.uses.get(name);
    if (own === undefined) problem(`lacks ${ways.has('tag') ? `<${name}>` : `{${name}}`}`);
    else if (needs(own) !== needs(ways)) problem(`uses "${name}" in another way than English`);
  }
  for (const [name, ways] of parts.uses)
    if (!original.uses.has(name))
      problem(`has ${ways.has('tag') ? `<${name}>` : `{${name}}`}, which English has not`);
  for (const [name, choices] of original.selects) {
    const own = parts.selects.get(name) ?? [];
    const missing = choices.filter((choice) => !own.includes(choice));
    if (missing.length > 0) problem(`lacks the choice ${missing.join(', ')} of "${name}"`);
  }
}

/** A value's type for all its uses. A language may use a plural where English needs none. */
function needs(uses: ReadonlySet<string>): string {
  if (uses.has('tag')) return 'tag';
  if (uses.has('date')) return 'date';
  return 'plain';
}
