import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../src/app/cli/commands.ts';
import { settingNames, settings } from '../src/app/parts/settings.ts';
import { articleFields } from '../src/content/import/fields.ts';
import type { SetVariables } from '../src/process/variables.ts';
import { type CommandDeclaration, isGroup, spelled } from '../src/server/commands/declaration.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = globSync(['*.md', '{docs,deploy,doubles,src,bench,tests,tools}/**/*.md'], { cwd: root });

/** The table rows that begin with a variable: its name, and the cells after it. */
function settingsOf(path: string): Map<string, string[]> {
  const rows = read(path).matchAll(/^\| `([A-Z][A-Z\d_]+)` \|(.*)\|$/gm);
  return new Map(
    [...rows].map(([, name = '', cells = '']) => [name, cells.split(' | ').map((cell) => cell.trim())]),
  );
}

/** The text of a cell that consists of code. */
const codeIn = (cell = '') => /^`([^`]+)`$/.exec(cell)?.[1];

describe('docs/configuration.md', () => {
  const documented = settingsOf('docs/configuration.md');

  test('has a row for each setting, and no other', () => {
    expect([...documented.keys()].sort()).toEqual([...settingNames].sort());
  });

  test('states the defaults of the program', () => {
    const stated = new Map([...documented].map(([name, [, code]]) => [name, codeIn(code)]));
    const read = (variables: SetVariables): object =>
      Object.assign({}, ...settings.map((own) => own.read({ variables })));
    const program = read({});
    const names = Object.entries(program).flatMap(([name, value]) => (Array.isArray(value) ? [] : [name]));
    expect(names.filter((name) => stated.get(name) === undefined)).toEqual([]);
    const s3 = Object.fromEntries(
      [...documented]
        .filter(([name]) => name.startsWith('S3_'))
        .map(([name, [, , code]]) => [name, codeIn(code)]),
    );
    const asStated = read({
      ...s3,
      ...Object.fromEntries(names.map((name) => [name, stated.get(name)])),
    });
    expect(asStated).toMatchObject(program);
  });

  test('gives examples that the program accepts', () => {
    const examples = [...documented].map(([name, [, , example]]) => [name, codeIn(example)] as const);
    expect(examples.filter(([, example]) => example === undefined)).toEqual([]);
    // The keys are shortened, and not every machine has the files and programs of the examples.
    const isElsewhere = (name: string) =>
      /^(?:SITE_CONFIG|SITE_DIR|OPERATOR_PASSWORDS_FILE|NODE_EXTRA_CA_CERTS|.*_PATH|VAPID_.*)$/.test(name);
    const set = examples.filter(([name]) => !isElsewhere(name));
    for (const own of settings) expect(own.problems(Object.fromEntries(set))).toEqual({});
  });
});

test('the README names settings that exist', () => {
  const named = [...settingsOf('README.md').keys()];
  expect(named).toHaveLength(7);
  expect(named.filter((name) => !settingsOf('docs/configuration.md').has(name))).toEqual([]);
});

/** Every command by its names, `keys create`. */
const declared: ReadonlyMap<string, CommandDeclaration> = new Map(
  commands.flatMap((one) =>
    isGroup(one)
      ? one.commands.map((inner): [string, CommandDeclaration] => [`${one.name} ${inner.name}`, inner])
      : [[one.name, one]],
  ),
);

test('docs/commands.md has a row for what each command prints as JSON, and no other', () => {
  const [, section = ''] = read('docs/commands.md').split('## Results as JSON');
  const rows = [...section.matchAll(/^\| `([a-z ]+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual([...declared.keys()].sort());
});

const group = (name: string) => commands.find((one) => isGroup(one) && one.name === name);

/** The commands of documents: the words behind `npm run cli --`, or behind the launcher. */
const called = documents.flatMap((path) =>
  [
    ...read(path).matchAll(
      /(?:npm run cli -- |(?<![\w/-]|namespace |-g )clipferry (?:cli )?)([a-z][^\n`"#|<>&;]*)/g,
    ),
  ].map(([, words = '']) => ({ path, words: words.trim().split(/\s+/) })),
);

test('documents call existing commands, with existing options', () => {
  const programs = ['start', 'jobs', 'page-cache', 'cli'];
  const wrong = called.filter(({ words: [name = '', verb = '', ...rest] }) => {
    if (programs.includes(name) || name === 'help') return false;
    // A group is named alone, or with options of its default command.
    const isAlone = verb === '' || verb.startsWith('-');
    const one = declared.get(name) ?? declared.get(`${name} ${verb}`) ?? (isAlone ? group(name) : undefined);
    if (one === undefined) return true;
    const known = isGroup(one) ? [] : Object.keys(one.options).map(spelled);
    const options = [verb, ...rest].filter((word) => word.startsWith('--') && word !== '--');
    return options.some((word) => ![...known, '--json', '--help', '--version'].includes(word));
  });
  expect(wrong.map(({ path, words }) => `${path}: ${words.join(' ')}`)).toEqual([]);
});

/** The anchors of a document's headings, made as GitHub makes them. */
function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(documents)('links of %s lead to existing places', (path) => {
  const text = read(path).replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const own = targets.filter((target) => !/^(?:[a-z]+:|\/)/.test(target));
  const broken = own.filter((target) => {
    const [file = '', anchor] = target.split('#');
    const to = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(root, to))) return true;
    return anchor !== undefined && !anchorsOf(read(to)).includes(anchor);
  });
  expect(broken).toEqual([]);
});

const foldersIn = (parent: string) =>
  globSync(`${parent}/*/`, { cwd: root }).map((folder) => basename(folder));

/** The code in the first cells of a document's tables. */
const namedFirst = (path: string) =>
  [...read(path).matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code),
  );

test('each feature has a README, whose third line says what it is', () => {
  const linesOf = (name: string) => read(`src/features/${name}/README.md`).split('\n');
  const wrong = foldersIn('src/features').filter((name) => {
    const [head, , about = ''] = linesOf(name);
    return head !== `# ${name}` || !/^[\p{Lu}“].*[.:]$/u.test(about);
  });
  expect(wrong).toEqual([]);
});

test('docs/site-configuration.md names each step of a page request', () => {
  const [, list = ''] = /^### Page requests$(.*?)^##/ms.exec(read('docs/site-configuration.md')) ?? [];
  const steps = foldersIn('src/server/pipeline').filter((name) => name !== 'testing');
  expect(steps.filter((name) => !list.includes(`. \`${name}\` `))).toEqual([]);
});

test('docs/writing.md names each field of articles', () => {
  const named = new Set(namedFirst('docs/writing.md'));
  expect(articleFields.keyof().options.filter((name) => !named.has(name))).toEqual([]);
});
