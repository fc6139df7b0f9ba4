import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Article } from './content.ts';
import {
  createLegalDocuments,
  type LegalDocument,
  type LegalDocumentName,
  type LegalValues,
} from './legal/legal-documents.ts';
import type { RichText, RichTextRules } from './rich-text/rich-text.ts';

/** Long texts of the site, ready to be shown. */
export interface Texts {
  /** The text of an article, made safe. */
  article(article: Article): Promise<RichText>;
  /** In English while the language has no translation; its own `locale` says which. */
  legal(name: LegalDocumentName, locale: string): Promise<LegalDocument>;
}

/** Room for the texts that are read most; making one takes as long as the rest of its page. */
const keptBytes = 16 * 1024 * 1024;

/** A link in a text leads elsewhere once its target is translated; this long it may lead to where it led before. */
const keptMs = 60_000;

/** Rules and addresses that the site gives to texts. */
export interface TextsParts {
  /** Folder of the legal documents. */
  readonly folder: string;
  readonly values: LegalValues;
  rulesFor(locale: string): Omit<RichTextRules, 'pictures'>;
  /** Where a path of this site, written without language, is found in a language. */
  findOwn(path: string, locale: string): Promise<string>;
}

const nameOf = ({ locale, body, pictures }: Article): string =>
  createHash('sha256')
    .update(locale)
    .update('\0')
    .update(body)
    .update(JSON.stringify(pictures))
    .digest('base64');

/** Makes texts, and keeps those that were asked for lately. */
export function createTexts({ folder, values, rulesFor, findOwn }: TextsParts): Texts {
  const kept = new LRUCache<string, RichText>({
    maxSize: keptBytes,
    // Characters of the HTML, and about as much again for the same as elements.
    sizeCalculation: ({ html }) => 4 * html.length + 1000,
    ttl: keptMs,
  });
  const legal = createLegalDocuments({ folder, values, rulesFor, findOwn });
  return {
    async article(article) {
      const name = nameOf(article);
      const present = kept.get(name);
      if (present !== undefined) return present;
      const { locale, pictures, body } = article;
      // What makes texts takes 20 MB, which a start need not wait for.
      const { renderRichText } = await import('./rich-text/rich-text.ts');
      const made = await renderRichText(body, { ...rulesFor(locale), pictures }, (path) =>
        findOwn(path, locale),
      );
      kept.set(name, made);
      return made;
    },
    legal: legal.read,
  };
}
