import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultLocale } from '../../i18n/languages.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import type { RichText, RichTextRules } from '../rich-text/rich-text.ts';
import { fill, type LegalValues } from './fill.ts';

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
  const { readMarkdown } = await import('../files/front-matter.ts');
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
