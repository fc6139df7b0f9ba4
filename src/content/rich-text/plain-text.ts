import { readingMinutes } from './reading-time.ts';
import type { RichText } from './rich-text.ts';
import type { RichNode } from './tree.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&#x26;', '<': '&#x3C;', '>': '&#x3E;' };

/** A text as written, without markup: shown when a text cannot be rendered. */
export function plainText(markdown: string, locale: string): RichText {
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
