import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readMarkdown } from '../../src/content/import/front-matter.ts';
import { outside, pageDescription, pageTitle } from './limits.ts';
import { columnsOf } from './width.ts';

const head = z.looseObject({ title: z.string(), description: z.string() });

/**
 * What is wrong with the titles and descriptions of the guides, in all their languages: search results show them as
 * they show those of pages.
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
      return [
        ['title', outside(pageTitle, columnsOf(title))],
        ['description', outside(pageDescription, columnsOf(description))],
      ].flatMap(([field, problem]) => (problem === null ? [] : [`${name}: ${field} ${problem}`]));
    });
}
