import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultLocale } from '../i18n/languages.ts';
import { createMemo } from '../stores/shared-work/memo.ts';
import type { RichText, RichTextRules } from './rich-text/rich-text.ts';

/** What legal documents say of a site, by the name that stands in them. */
export const valueNames = [
  'domain',
  'operator',
  'contact_email',
  'operator_address',
  'since',
  'source_url',
  'dmca_agent',
  'statistics_days',
  'messages_days',
  'cookies_without_consent',
  'cookies_with_consent',
  'device_storage',
  // Only whether they are empty counts for the following.
  /** Visitors are asked before anything that identifies them is stored. */
  'asks',
  /** A visit counts as consent until the visitor declines. */
  'implied',
  /** A visitor can decline something. */
  'choice',
  'statistics',
  /** The records of visits stay on this site. */
  'own_statistics',
  /** The records of visits go to the operator's other server (`analytics_url`). */
  'analytics',
  /** Links to partners tell them who follows them. */
  'partners',
  /** A tag script of another company is loaded for those who agree. */
  'tag',
  'experiments',
  'notifications',
  'error_reports',
  /** Who writes to the site gets a mail that says that it arrived. */
  'acknowledgements',
  /** There is a log-in for the operator. */
  'desk',
  'ads',
  /** No page makes a browser contact another server. */
  'stays',
  /** The same, unless the visitor agrees. */
  'stays_unless_agreed',
  /** Posts whose creator turned off saving are refused. */
  'honours_saving_off',
] as const;

type ValueName = (typeof valueNames)[number];

/** A site's values and Markdown tables. Empty for what a site does not state, or does not do. */
export type LegalValues = Readonly<Record<ValueName, string>>;

const placeholder = /\{([a-z_]+)\}/g;
const condition = /\{if ([a-z_]+)\}([\s\S]*?)(?:\{else\}([\s\S]*?))?\{end\}(\n?)/g;

/**
 * Chooses what holds on a site: `{if NAME}…{else}…{end}` is its first part where the value is not empty, else its second
 * one. Conditions contain no others; one without text that fills its lines leaves no empty line. Unknown ones stay.
 */
function choose(source: string, values: LegalValues): string {
  return source.replace(
    condition,
    (whole, name: string, yes: string, no: string | undefined, newline: string, at: number) => {
      if (!Object.hasOwn(values, name)) return whole;
      const chosen = values[name as ValueName] === '' ? (no ?? '') : yes;
      const fillsLine = at === 0 || source[at - 1] === '\n';
      return chosen === '' && fillsLine ? '' : chosen + newline;
    },
  );
}

/**
 * A document with a site's values for `{name}`, and what holds on the site. A line that names a value which the site does
 * not state is left out: a paragraph or a list's entry is one line.
 */
export function fill(source: string, values: LegalValues): string {
  const known = (name: string) => (Object.hasOwn(values, name) ? values[name as ValueName] : undefined);
  return choose(source, values)
    .split('\n')
    .filter((line) => [...line.matchAll(placeholder)].every(([, name = '']) => known(name) !== ''))
    .map((line) => line.replace(placeholder, (whole, name: string) => known(name) ?? whole))
    .join('\n');
}

/** The values that a document names or asks for, and no site has. */
export const unknownValues = (source: string): string[] =>
  [...source.matchAll(/\{(?:if )?([a-z_]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => ![...valueNames, 'else', 'end'].includes(name));

/** The documents that every site has, by the page that shows them. */
export const legalDocumentNames = [
  'about',
  'contact',
  'cookies-policy',
  'dmca',
  'legal-disclaimer',
  'privacy-policy',
  'terms-of-use',
] as const;

export type LegalDocumentName = (typeof legalDocumentNames)[number];

/** A legal document in one language. */
export interface LegalDocument {
  /** The language of the text: the requested one, or the fallback for a missing translation. */
  readonly locale: string;
  readonly title: string;
  readonly description: string;
  readonly keywords: string;
  /** The day it was last changed, `YYYY-MM-DD`. */
  readonly updated: string;
  readonly text: RichText;
}

const fields = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  keywords: z.string().default(''),
  updated: z.iso.date(),
});

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Checks a legal document.
 * @throws Error with one line for each mistake, which names the file
 */
export async function parseLegalDocument(source: string, file: string) {
  // Loaded with the first document, as for articles.
  const { readMarkdown } = await import('./files/checked-files.ts');
  const markdown = readMarkdown(fields, source, file);
  if ('problems' in markdown)
    throw new Error(markdown.problems.map((one) => `${one.file}:${one.line}: ${one.reason}`).join('\n'));
  return markdown;
}

/** Documents in all languages, with room for more of both. */
const mostKept = 1000;

/**
 * Reads legal documents from `{folder}/{name}/{locale}.md`, each once.
 * @param folders the first that has a document in a language
 * @param rulesFor the rules of a text in a language, except pictures: legal documents have none
 * @param make renders Markdown
 * @returns what reads one, and throws when its file is missing in English too, or is not in order
 */
export function createLegalDocuments(parts: {
  folders: readonly string[];
  valuesFor: (locale: string) => LegalValues;
  rulesFor: (locale: string) => Omit<RichTextRules, 'pictures'>;
  make: (markdown: string, rules: RichTextRules) => Promise<RichText>;
}): (name: LegalDocumentName, locale: string) => Promise<LegalDocument> {
  const { folders, valuesFor, rulesFor, make } = parts;

  async function load(name: LegalDocumentName, locale: string): Promise<LegalDocument> {
    let file = '';
    let source: string | null = null;
    for (const folder of folders) {
      file = join(folder, name, `${locale}.md`);
      source = await readIfThere(file);
      if (source !== null) break;
    }
    if (source === null && locale !== defaultLocale) return read(name, defaultLocale);
    if (source === null) throw new Error(`The legal document ${name} is missing in ${folders.join(', ')}`);
    const markdown = await parseLegalDocument(fill(source, valuesFor(locale)), file);
    const text = await make(markdown.body, { ...rulesFor(locale), pictures: {} });
    return { locale, ...markdown.fields, text };
  }

  // Failures are not kept: the file may be repaired.
  const kept = createMemo<LegalDocument>({ max: mostKept, ttlMs: 0 });
  const read = (name: LegalDocumentName, locale: string) =>
    kept.get(`${name}/${locale}`, () => load(name, locale));
  return read;
}
