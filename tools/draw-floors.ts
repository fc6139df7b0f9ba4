/**
 * Writes the floors of the product's folders into `CONTRIBUTING.md`, as the imports have them. With `--check` it only
 * compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { floorsOf } from './imports.ts';

const file = new URL('../CONTRIBUTING.md', import.meta.url);

const drawings = ['src', 'src/server', 'src/site', 'src/downloader'].map((folder) =>
  [
    folder,
    ...floorsOf(folder)
      .floors.reverse()
      .map((floor) => `  ${floor.join('  ')}`),
  ].join('\n'),
);
const block = `\`\`\`floors\n${drawings.join('\n\n')}\n\`\`\``;
const before = readFileSync(file, 'utf8');
const after = before.replace(/```floors\n[\s\S]*?```/, () => block);

if (!process.argv.includes('--check')) writeFileSync(file, after);
else if (after !== before) {
  console.error('The floors in CONTRIBUTING.md are stale: run `node tools/draw-floors.ts`');
  process.exitCode = 1;
}
