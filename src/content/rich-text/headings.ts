import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';

/** Prefix of headings' ids, so that no text can take an id that the page itself uses. */
export const headingPrefix = 'section-';

/** An entry of a table of contents. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: 2 | 3;
}

const lowered: Readonly<Record<string, string>> = { h1: 'h2', h5: 'h4', h6: 'h4' };

/** The page's title is its only h1; below h4 headings look alike. */
export function lowerHeadings(tree: Root): void {
  visit(tree, 'element', (element: Element) => {
    element.tagName = lowered[element.tagName] ?? element.tagName;
  });
}

/** Headings that have an address, in the order of the text. */
export function listHeadings(tree: Root): Heading[] {
  const found: Heading[] = [];
  visit(tree, 'element', (element: Element) => {
    const { id } = element.properties;
    const text = textOf(element).trim();
    if (typeof id !== 'string' || text === '') return;
    if (element.tagName === 'h2') found.push({ id, text, level: 2 });
    if (element.tagName === 'h3') found.push({ id, text, level: 3 });
  });
  return found;
}
