import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Article } from './content.ts';
import {
  createLegalDocuments,
  type LegalDocument,
  type LegalDocumentName,
  type LegalValues,
} from './legal-documents.ts';
import { createBoundedRenderer, TextRefused } from './rich-text/bounded-renderer.ts';
import type { OwnPlace } from './rich-text/links.ts';
import { readingMinutes } from './rich-text/reading-time.ts';
import type { RichText, RichTextRules } from './rich-text/rich-text.ts';
import type { RichNode } from './rich-text/tree.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&#x26;', '<': '&#x3C;', '>': '&#x3E;' };

/** A text as written, without markup: shown when a text cannot be rendered. */
function plainText(markdown: string, locale: string): RichText {
  const paragraphs = markdown
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter(Boolean);
  return {
    nodes: paragraphs.map((one): RichNode => ['p', {}, one]),
    html: paragraphs
      .map((one) => `<p>${one.replace(/[&<>]/g, (sign) => escapes[sign] ?? '')}</p>`)
      .join('\n'),
    headings: [],
    minutes: readingMinutes(markdown, locale),
  };
}

/** Long texts of the site, ready to be shown. */
export interface ContentRenderer {
  /** The text of an article, made safe; `{domain}` in it is where this site is found. */
  article(article: Article): Promise<RichText>;
  /** English while the language has no translation; its own `locale` says which. */
  legal(name: LegalDocumentName, locale: string): Promise<LegalDocument>;
  /** Ends the process in which they are made. */
  close(): Promise<void>;
}

/** Room for the texts that are read most; making one takes as long as the rest of its page. */
const maxCachedBytes = 16 * 1024 * 1024;

/** How long a link in a text may lead to the fallback after its target was translated. */
const ttlMs = 60_000;

/** How long a text that could not be made is not tried again: each try may cost a second of a core. */
const refusedMs = 3_600_000;
const maxRefused = 10_000;

/** Found at each call: the caches would keep the clock that was there first, which no test can set. */
const perf = { now: () => performance.now() };

/** Rules and addresses that the site gives to texts. */
interface ContentRendererParts {
  /** Folders of the legal documents: the first that has one. */
  readonly folders: readonly string[];
  /** Values for `{name}` in the legal documents. */
  valuesFor(locale: string): LegalValues;
  rulesFor(locale: string): Omit<RichTextRules, 'pictures'>;
  /** Finds the page of a path, written without language, in a language. */
  findOwn(path: string, locale: string): Promise<OwnPlace>;
  /** Called for a text that is shown without markup, with the reason. */
  onBare(error: TextRefused): void;
}

const nameOf = ({ locale, body, pictures }: Pick<Article, 'locale' | 'body' | 'pictures'>): string =>
  createHash('sha256')
    .update(locale)
    .update('\0')
    .update(body)
    .update(JSON.stringify(pictures))
    .digest('base64');

/** Renders texts and caches the recent ones. */
export function createContentRenderer({
  folders,
  valuesFor,
  rulesFor,
  findOwn,
  onBare,
}: ContentRendererParts): ContentRenderer {
  const cache = new LRUCache<string, RichText, Article>({
    maxSize: maxCachedBytes,
    // Characters of the HTML, and about as much again for the same as elements.
    sizeCalculation: ({ html }) => 4 * html.length + 1000,
    ttl: ttlMs,
    perf,
    fetchMethod: (name, _old, { context: article }) => makeArticle(article, name),
    ignoreFetchAbort: true,
  });
  const refused = new LRUCache<string, true>({ max: maxRefused, ttl: refusedMs, perf });
  const renderer = createBoundedRenderer();

  /** Runs in a separate process within limits; a text that exceeds them is shown without markup. */
  async function make(markdown: string, rules: RichTextRules, name: string): Promise<RichText> {
    const { locale } = rules;
    if (refused.has(name)) return plainText(markdown, locale);
    try {
      return await renderer.render(markdown, rules, (path) => findOwn(path, locale));
    } catch (error) {
      if (!(error instanceof TextRefused)) throw error;
      refused.set(name, true);
      onBare(error);
      return plainText(markdown, locale);
    }
  }

  async function makeArticle(article: Article, name: string): Promise<RichText> {
    const { locale, pictures, body } = article;
    const rules = rulesFor(locale);
    const text = body.replaceAll('{domain}', new URL(rules.origin).host);
    return make(text, { ...rules, pictures }, name);
  }

  const legal = createLegalDocuments({
    ...{ folders, valuesFor, rulesFor },
    make: (body, rules) => make(body, rules, nameOf({ locale: rules.locale, body, pictures: {} })),
  });
  return {
    article: (article) => cache.forceFetch(nameOf(article), { context: article }),
    legal,
    close: renderer.close,
  };
}
