import type { Element, ElementContent, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { type Heading, headingPrefix, listHeadings, lowerHeadings } from './headings.ts';
import {
  type FindOwn,
  keepLinkRules,
  type LinkRules,
  type OwnPlace,
  ownPaths,
  placeOwnLinks,
} from './links.ts';
import { type PictureRules, placePictures } from './pictures.ts';
import { readingMinutes } from './reading-time.ts';
import { sanitizerSchema } from './sanitizer-schema.ts';
import { elementOf, type RichNode, toRichNodes } from './tree.ts';

/** Renders the boxes of task lists as characters, since a control without effect would be confusing. */
function writeTaskBoxes(tree: Root): void {
  visit(tree, 'element', (element, index, parent) => {
    const { type, checked } = element.properties;
    if (element.tagName !== 'input' || type !== 'checkbox') return;
    if (parent === undefined || index === undefined) return;
    parent.children[index] = { type: 'text', value: checked === true ? '☑' : '☐' };
  });
}

const isScroller = (element: { tagName?: string; properties?: Element['properties'] }): boolean => {
  const classes = element.properties?.className;
  return element.tagName === 'div' && Array.isArray(classes) && classes.includes('table-scroll');
};

/** A table that is too wide scrolls by itself, also by keyboard, instead of widening the page. */
function scrollTables(tree: Root): void {
  visit(tree, 'element', (element, index, parent) => {
    if (element.tagName !== 'table' || parent === undefined || index === undefined) return;
    if (isScroller(parent as Element)) return;
    const scroller = elementOf('div', { className: ['table-scroll'], tabIndex: 0 }, element);
    (parent.children as ElementContent[])[index] = scroller;
    return index + 1;
  });
}

/** The rules of a text, and the facts about the site needed to render it. */
export interface RichTextRules extends LinkRules, PictureRules {
  /** Language of the text, for counting its words. */
  readonly locale: string;
  /** Words for notes at the foot of a text. */
  readonly labels: { readonly notes: string; readonly backToText: string };
}

/** A text made safe and ready to be shown. */
export interface RichText {
  /** Read by the site's pages, which build elements from it and never set HTML. */
  readonly nodes: readonly RichNode[];
  /** Read by other programs than browsers. */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Rounded up; at least 1. */
  readonly minutes: number;
}

/** Passes after which a text that still changes is given up; what people write changes once or never. */
const maxPasses = 8;

/** One pass over untrusted HTML: parses it, removes what is not allowed, then applies the rules. */
function pass(tree: Root, rules: RichTextRules): Root {
  return unified()
    .use(rehypeRaw)
    .use(() => writeTaskBoxes)
    .use(() => lowerHeadings)
    .use(() => (root: Root) => placePictures(root, rules))
    .use(rehypeSanitize, sanitizerSchema)
    .use(() => (root: Root) => keepLinkRules(root, rules))
    .use(() => scrollTables)
    .use(rehypeSlug, { prefix: headingPrefix })
    .runSync(tree);
}

const stringify = (tree: Root): string => unified().use(rehypeStringify).stringify(tree);

const fromHtml = (html: string): Root => ({ type: 'root', children: [{ type: 'raw', value: html }] });

function textOf(tree: Root): string {
  let text = '';
  const walk = (node: Root | Root['children'][number]): void => {
    if (node.type === 'text') text += `${node.value} `;
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(tree);
  return text;
}

/**
 * Repeats the pass until its output is stable, so that a browser, which parses once more, builds exactly the tree that
 * was checked (mutation XSS relies on the difference), and sanitizing twice changes nothing. A text that does not
 * become stable is shown without markup.
 */
function settle(tree: Root, rules: RichTextRules): { tree: Root; html: string } {
  let judged = pass(tree, rules);
  let html = stringify(judged);
  for (let passes = 0; passes < maxPasses; passes++) {
    judged = pass(fromHtml(html), rules);
    const again = stringify(judged);
    if (again === html) return { tree: judged, html };
    html = again;
  }
  const bare: Root = { type: 'root', children: [{ type: 'text', value: textOf(judged) }] };
  return { tree: bare, html: stringify(bare) };
}

function parseMarkdown(markdown: string, { labels }: RichTextRules): Root {
  const parser = unified().use(remarkParse).use(remarkGfm);
  return unified()
    .use(remarkRehype, {
      allowDangerousHtml: true,
      footnoteLabel: labels.notes,
      footnoteBackLabel: labels.backToText,
    })
    .runSync(parser.parse(markdown)) as Root;
}

/** Makes HTML safe; idempotent. @param html of any origin */
export function sanitizeHtml(html: string, rules: RichTextRules): string {
  return settle(fromHtml(html), rules).html;
}

/**
 * Renders Markdown (CommonMark, GitHub's extensions, HTML inside) of any origin. Some texts take quadratic time:
 * untrusted ones go through the bounded renderer.
 * @param findOwn finds the page of a path of this site in the text's language
 * @throws Error, RangeError when it is nested too deeply
 */
export async function renderRichText(
  markdown: string,
  rules: RichTextRules,
  findOwn: FindOwn = (path) => ({ href: path }),
): Promise<RichText> {
  const { tree } = settle(parseMarkdown(markdown, rules), rules);
  const places = new Map<string, OwnPlace>();
  for (const path of ownPaths(tree)) places.set(path, await findOwn(path));
  placeOwnLinks(tree, places);
  return {
    nodes: toRichNodes(tree),
    html: stringify(tree),
    headings: listHeadings(tree),
    minutes: readingMinutes(textOf(tree), rules.locale),
  };
}
