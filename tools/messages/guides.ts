import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readMarkdown } from '../../src/content/import/front-matter.ts';
import { avoidedIn } from './avoided-words.ts';
import { outside, pageDescription, pageTitle } from './limits.ts';
import { columnsOf } from './width.ts';

/** Where a link of Markdown leads, which readers do not see. */
const linkTarget = /\]\([^)]*\)/g;

/** A numbered list: at least its first two steps. */
const steps = /^1\. .+(?:\n+(?: {2,}.*)?)*\n2\. /m;
/** A picture, or a drawing, that says what it shows. */
const picture = /^!\[[^\]]+\]\([^)]+\)$/m;
/** A paragraph that is nothing but a link to a page of this site: the page's link box is put there. */
const linkBox = /(?:^|\n)\n\[[^\]]+\]\(\/[a-z0-9-]+\)(?:\n\n|\n?$)/;

const head = z.looseObject({ title: z.string(), description: z.string() });

interface Written {
  readonly locale: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
}

/** What is wrong with the Markdown files of a folder, each named; also where one does not begin as it must. */
function problemsOf(folder: string, of: (written: Written) => string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) => {
      const read = readMarkdown(head, readFileSync(join(folder, name), 'utf8'), name);
      if ('problems' in read)
        return read.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
      const { title, description } = read.fields;
      const written = { locale: basename(name, '.md'), title, description, body: read.body };
      return of(written).map((problem) => `${name}: ${problem}`);
    });
}

const avoided = ({ locale, title, description, body }: Written) =>
  avoidedIn(locale, [title, description, body.replace(linkTarget, ']')].join('\n'));

const unfitting = ({ title, description }: Written) =>
  [
    ['title', outside(pageTitle, columnsOf(title))],
    ['description', outside(pageDescription, columnsOf(description))],
  ].flatMap(([field, problem]) => (problem === null ? [] : [`${field} ${problem}`]));

/** What a guide is to have, and this one has not. */
const lacking = ({ body }: Written) =>
  (
    [
      [steps, 'has no numbered steps'],
      [picture, 'has no picture'],
      [linkBox, 'has no paragraph that is only a link to a downloader, for its link box'],
    ] as const
  ).flatMap(([part, problem]) => (part.test(body) ? [] : [problem]));

/**
 * Words that its language avoids, in the title, the description or the text of what is written in Markdown.
 * @param folder path of a folder that has a folder for each document
 */
export const wordProblems = (folder: string): string[] => problemsOf(folder, avoided);

/**
 * What is wrong with the guides, in all their languages: titles and descriptions that search results would cut, as with
 * those of pages, words that a language avoids, and no numbered steps, picture or link box.
 * @param folder path of the folder that has a folder for each guide
 */
export const guideProblems = (folder: string): string[] =>
  problemsOf(folder, (written) => [...unfitting(written), ...avoided(written), ...lacking(written)]);
