/**
 * Fails when a folder holds so many files of product code that a reader cannot survey it. A folder that has a reason
 * to hold more says so in its README, in a line that begins with `More than 14 files:`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const maxFiles = 14;
const reason = new RegExp(`^More than ${maxFiles} files: \\S`, 'm');

const counts = new Map<string, number>();
for (const file of globSync('{src,doubles,bench,tools,migrations}/**/*.{ts,tsx,js,mjs,css}')) {
  if (/\.test\.tsx?$/.test(file)) continue;
  const folder = dirname(file).split(sep).join('/');
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}

const givesReason = (folder: string) => {
  const readme = join(folder, 'README.md');
  return existsSync(readme) && reason.test(readFileSync(readme, 'utf8'));
};

const problems = [...counts].filter(([folder, count]) => count > maxFiles && !givesReason(folder));
for (const [folder, count] of problems)
  console.error(
    `${folder} has ${count} files: sort them into folders, or say why in its README: "More than ${maxFiles} files: …"`,
  );
console.log(`${counts.size} folders, ${problems.length} with more than ${maxFiles} files and no reason`);
process.exitCode = problems.length > 0 ? 1 : 0;
