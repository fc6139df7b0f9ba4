/**
 * Writes the table of `docs/privacy.md` from the code's list of stored items, and its last section from what the
 * features' READMEs say. With `--check` it only compares them.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSiteConfiguration } from '../src/app/parts/read-site-configuration.ts';
import { storedEntries } from '../src/site/visitors/stored/cookie-tables.ts';

const file = new URL('../docs/privacy.md', import.meta.url);
const site = new URL('../site.config.json', import.meta.url);
const { experiments } = parseSiteConfiguration(JSON.parse(readFileSync(site, 'utf8')));

const places = {
  cookie: 'cookie',
  localStorage: 'local storage',
  sessionStorage: 'session storage',
  cacheStorage: 'cache storage',
  indexedDB: 'IndexedDB',
  privateFiles: 'origin private file system',
} as const;

const rows = storedEntries('en', experiments).map(
  ({ name, where, life, kind, purpose }) =>
    `| \`${name}\` | ${places[where]} | ${life} | ${kind} | ${purpose} |`,
);
const table = ['| name | where | life | kind | what for |', '| --- | --- | --- | --- | --- |', ...rows].join(
  '\n',
);
const root = fileURLToPath(new URL('../', import.meta.url));
const kept = globSync('src/features/*/README.md', { cwd: root })
  .sort()
  .flatMap((path) => {
    const text = readFileSync(root + path, 'utf8');
    const [, said] = /^- \*\*What it keeps\.\*\* (.*)$/m.exec(text) ?? [];
    if (said === undefined) throw new Error(`${path} does not say what the feature keeps`);
    const [, name = ''] = /^# (.*)$/m.exec(text) ?? [];
    return said.startsWith('Nothing') ? [] : [`- [${name}](../${path}): ${said}`];
  });

const title = '## What features keep\n\n';
const before = readFileSync(file, 'utf8');
const [head = ''] = before.split(title);
const after = `${head.replace(/\| name \|[\s\S]*?\n(?!\|)/, () => `${table}\n`)}${title}${kept.join('\n')}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, after);
else if (after !== before) {
  console.error('docs/privacy.md is stale: run `node tools/write-privacy.ts`');
  process.exitCode = 1;
}
