import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readMarkdown } from '../../src/content/import/front-matter.ts';
import { avoidedIn } from './avoided-words.ts';
import { outside, pageDescription, pageTitle } from './limits.ts';
import { columnsOf } from './width.ts';

/** Where a link of Markdown leads, which readers do not see. */
const linkTarget = /\]\([^)]*\)/g;

const head = z.looseObject({ title: z.string(), description: z.string() });

/**
 * What is wrong with the guides, in all their languages: titles and descriptions that search results would cut, as with
 * those of pages, and words that a language avoids.
 * @param folder path of the folder that has a folder for each guide
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
      const heads = [
        ['title', outside(pageTitle, columnsOf(title))],
        ['description', outside(pageDescription, columnsOf(description))],
      ].flatMap(([field, problem]) => (problem === null ? [] : [`${name}: ${field} ${problem}`]));
      const text = [title, description, read.body.replace(linkTarget, ']')].join('\n');
      const words = avoidedIn(basename(name, '.md'), text);
      return [...heads, ...words.map((problem) => `${name}: ${problem}`)];
    });
}
