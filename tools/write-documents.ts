/**
 * Writes the table of `docs/privacy.md` from the code's list of stored items, and its last section and the rows of
 * features in `docs/security.md` from what the features' READMEs say. With `--check` it only compares them.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSiteConfiguration } from '../src/app/parts/read-site-configuration.ts';
import { storedEntries } from '../src/site/visitors/stored/cookie-tables.ts';

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
const table = ['| name | where | kept | kind | purpose |', '| --- | --- | --- | --- | --- |', ...rows].join(
  '\n',
);
const root = fileURLToPath(new URL('../', import.meta.url));
const features = globSync('src/features/*/README.md', { cwd: root })
  .sort()
  .map((path) => {
    const text = readFileSync(root + path, 'utf8');
    return { text, link: `[${/^# (.*)$/m.exec(text)?.[1]}](../${path})` };
  });
/** What a README says behind a title. */
const saidOf = (text: string, title: string) =>
  [...text.matchAll(new RegExp(`^- \\*\\*${title}\\.\\*\\* (.*)$`, 'gm'))].map(([, said = '']) => said);

const kept = features.flatMap(({ text, link }) => {
  const [said] = saidOf(text, 'What it keeps');
  if (said === undefined) throw new Error(`${link} does not say what the feature keeps`);
  return said.startsWith('Nothing') ? [] : [`- ${link}: ${said}`];
});

/** The lists of `docs/security.md`, each ended by the rows of features, whose promises say the same first words. */
const lists = ['To visitors', 'Against attackers', 'To the operator'];

const title = '## Data of features\n\n';
const documents = {
  'docs/privacy.md': (before: string) => {
    const [head = ''] = before.split(title);
    return `${head.replace(/\| name \|[\s\S]*?\n(?!\|)/, () => `${table}\n`)}${title}${kept.join('\n')}\n`;
  },
  'docs/security.md': (before: string) =>
    lists.reduce((document, list) => {
      const rows = features.flatMap(({ text, link }) =>
        saidOf(text, `Promise ${list.toLowerCase()}`).map(
          (said) => `- ${said.replaceAll('../../../docs/', '')} (${link})\n`,
        ),
      );
      const present = new RegExp(`(^${list}:\n\n(?:- (?!.*README\\.md\\)\\)$).*\n)*)(?:- .*\n)*`, 'm');
      return document.replace(present, (_, own: string) => own + rows.join(''));
    }, before),
};

for (const [path, write] of Object.entries(documents)) {
  const before = readFileSync(root + path, 'utf8');
  const after = write(before);
  if (!process.argv.includes('--check')) writeFileSync(root + path, after);
  else if (after !== before) {
    console.error(`${path} is stale: run \`node tools/write-documents.ts\``);
    process.exitCode = 1;
  }
}
