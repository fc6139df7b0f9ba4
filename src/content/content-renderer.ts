import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Article } from './content.ts';
import {
  createLegalDocuments,
  type LegalDocument,
  type LegalDocumentName,
  type LegalValues,
} from './legal/legal-documents.ts';
import { createBoundedRenderer, TextRefused } from './rich-text/bounded-renderer.ts';
import type { OwnPlace } from './rich-text/links.ts';
import { plainText } from './rich-text/plain-text.ts';
import type { RichText, RichTextRules } from './rich-text/rich-text.ts';

/** Long texts of the site, ready to be shown. */
export interface ContentRenderer {
  /** The text of an article, made safe. */
  article(article: Article): Promise<RichText>;
  /** In English while the language has no translation; its own `locale` says which. */
  legal(name: LegalDocumentName, locale: string): Promise<LegalDocument>;
  /** Ends the thread in which they are made. */
  close(): Promise<void>;
}

/** Room for the texts that are read most; making one takes as long as the rest of its page. */
const maxCachedBytes = 16 * 1024 * 1024;

/** A link in a text leads elsewhere once its target is translated; this long it may lead to where it led before. */
const ttlMs = 60_000;

/** Rules and addresses that the site gives to texts. */
export interface ContentRendererParts {
  /** Folder of the legal documents. */
  readonly folder: string;
  /** What stands in the legal documents as `{name}`. */
  valuesFor(locale: string): LegalValues;
  rulesFor(locale: string): Omit<RichTextRules, 'pictures'>;
  /** Where a path of this site, written without language, is found in a language. */
  findOwn(path: string, locale: string): Promise<OwnPlace>;
  /** Told of a text that is shown without markup, and why. */
  onBare(error: TextRefused): void;
}

const nameOf = ({ locale, body, pictures }: Article): string =>
  createHash('sha256')
    .update(locale)
    .update('\0')
    .update(body)
    .update(JSON.stringify(pictures))
    .digest('base64');

/** Makes texts, and caches those that were asked for lately. */
export function createContentRenderer({
  folder,
  valuesFor,
  rulesFor,
  findOwn,
  onBare,
}: ContentRendererParts): ContentRenderer {
  const cache = new LRUCache<string, RichText>({
    maxSize: maxCachedBytes,
    // Characters of the HTML, and about as much again for the same as elements.
    sizeCalculation: ({ html }) => 4 * html.length + 1000,
    ttl: ttlMs,
  });
  const inFlight = new Map<string, Promise<RichText>>();
  const renderer = createBoundedRenderer();

  /** In a thread of its own and within bounds; what goes beyond them is shown bare. */
  async function make(markdown: string, rules: RichTextRules): Promise<RichText> {
    const { locale } = rules;
    try {
      return await renderer.render(markdown, rules, (path) => findOwn(path, locale));
    } catch (error) {
      if (!(error instanceof TextRefused)) throw error;
      onBare(error);
      return plainText(markdown, locale);
    }
  }

  async function makeArticle(article: Article, name: string): Promise<RichText> {
    const { locale, pictures, body } = article;
    const made = await make(body, { ...rulesFor(locale), pictures });
    cache.set(name, made);
    return made;
  }

  const legal = createLegalDocuments({ folder, valuesFor, rulesFor, make });
  return {
    async article(article) {
      const name = nameOf(article);
      const present = cache.get(name) ?? inFlight.get(name);
      if (present !== undefined) return present;
      const turn = makeArticle(article, name).finally(() => inFlight.delete(name));
      inFlight.set(name, turn);
      return turn;
    },
    legal: legal.read,
    close: renderer.close,
  };
}
