import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { z } from 'zod';
import { readMarkdown } from '../../src/content/files/checked-files.ts';
import { outside, pageDescription, pageTitle } from './limits.ts';
import { columnsOf } from './width.ts';

/** A numbered list: at least its first two steps. */
const steps = /^1\. .+(?:\n+(?: {2,}.*)?)*\n2\. /m;
/** A picture, or a drawing, with a description. */
const picture = /^!\[[^\]]+\]\([^)]+\)$/m;
/** A paragraph that consists of a link to a page of this site: it becomes the page's link box. */
const linkBox = /(?:^|\n)\n\[[^\]]+\]\(\/[a-z0-9-]+\)(?:\n\n|\n?$)/;

const head = z.looseObject({ title: z.string(), description: z.string(), updated: z.string().optional() });

interface Written {
  readonly title: string;
  readonly description: string;
  readonly body: string;
}

const unfitting = ({ title, description }: Written) =>
  [
    ['title', outside(pageTitle, columnsOf(title))],
    ['description', outside(pageDescription, columnsOf(description))],
  ].flatMap(([field, problem]) => (problem === null ? [] : [`${field} ${problem}`]));

/** The required parts that a guide lacks. */
const lacking = ({ body }: Written) =>
  (
    [
      [steps, 'has no numbered steps'],
      [picture, 'has no picture'],
      [linkBox, 'has no paragraph that is only a link to a downloader, for its link box'],
    ] as const
  ).flatMap(([part, problem]) => (part.test(body) ? [] : [problem]));

/** Asterisks that stay in the text, since no emphasis ends between punctuation and a letter: `*「新」*は` has none. */
const strayAsterisks = ({ body }: Written) => {
  const found: string[] = [];
  visit(unified().use(remarkParse).use(remarkGfm).parse(body), 'text', ({ value }) => {
    found.push(...(value.match(/.{0,10}\*.{0,10}/gu) ?? []));
  });
  return found.map((words) => `has an asterisk that marks no emphasis: ${words}`);
};

/**
 * The problems of the guides, in all their languages: titles and descriptions that search results would cut, missing
 * numbered steps, pictures or link boxes, and emphasis that Markdown does not see.
 * @param folder path of the folder with a folder for each guide
 */
export function guideProblems(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) => {
      const read = readMarkdown(head, readFileSync(join(folder, name), 'utf8'), name);
      if ('problems' in read)
        return read.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
      const { title, description } = read.fields;
      const written = { title, description, body: read.body };
      return [...unfitting(written), ...lacking(written), ...strayAsterisks(written)].map(
        (problem) => `${name}: ${problem}`,
      );
    });
}

/**
 * Guides whose translation is older than the English text, by the date in each file: a line for each guide.
 * @param folder as for {@link guideProblems}
 */
export function staleGuides(folder: string): string[] {
  return readdirSync(folder).flatMap((guide) => {
    const dates = readdirSync(join(folder, guide))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .flatMap((name) => {
        const read = readMarkdown(head, readFileSync(join(folder, guide, name), 'utf8'), name);
        return 'problems' in read ? [] : [{ name, updated: Date.parse(read.fields.updated ?? '') }];
      });
    const english = dates.find(({ name }) => name === 'en.md')?.updated ?? Number.NaN;
    const stale = dates.filter(({ updated }) => updated < english).map(({ name }) => name.slice(0, -3));
    return stale.length === 0 ? [] : [`${guide}: older than the English text in ${stale.join(', ')}`];
  });
}
