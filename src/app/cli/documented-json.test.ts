import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { article, write, writeCategoriesAndAuthors } from '../../content/testing/content.ts';
import { isGroup } from '../../server/commands/declaration.ts';
import { openSqliteDatabase } from '../../stores/embedded/sqlite-database.ts';
import { migrate } from '../../stores/migrate.ts';
import { createTallyStore } from '../../stores/tally/tally-store.ts';
import { unitOf } from '../../stores/tally/units.ts';
import { readConfigurationFile } from '../parts/read-site-configuration.ts';
import { commands } from './commands.ts';
import { runProgram } from './program.ts';

/** What `docs/commands.md` says that each command prints: the cell of its row. */
const documented = new Map(
  [
    ...(readFileSync('docs/commands.md', 'utf8')
      .split('## Results as JSON')[1]
      ?.matchAll(/^\| `([a-z ]+)` \| (.*) \|$/gm) ?? []),
  ].map(([, name = '', cell = '']) => [name, cell]),
);

/** The forms of a command's value; a row may refer to another one. */
function formsOf(name: string): string[] {
  const cell = documented.get(name) ?? '';
  const [, same] = /^as `([a-z ]+)`$/.exec(cell) ?? [];
  if (same !== undefined) return formsOf(same);
  const [, list] = /^one of `([a-z ]+)`$/.exec(cell) ?? [];
  if (list !== undefined) return formsOf(list).map((form) => form.replace(/^\[|\]$/g, ''));
  return [...cell.matchAll(/`([[{][^`]*)`/g)].map(([, form = '']) => form);
}

const names = commands.flatMap((one) =>
  isGroup(one) ? one.commands.map(({ name }) => `${one.name} ${name}`) : [one.name],
);

let folder: string;
/** What each command printed, by its name. */
const printed = new Map<string, unknown[]>();

/** Runs a command with `--json`. Exactly one JSON value is on standard output. */
async function run(name: string, ...words: string[]): Promise<void> {
  let output = '';
  const take = (text: unknown) => {
    output += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(console, 'log').mockImplementation((text) => void take(`${text}\n`));
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await runProgram([...name.split(' '), ...words, '--json'], commands, {
    name: 'clipferry',
    version: '1.2.3',
    tools: {
      readConfiguration: async (file) => readConfigurationFile(file),
      async openPlatform(environment) {
        const { assemblePlatform } = await import('../parts/downloader/platform.ts');
        return assemblePlatform(environment, { searchPath: '' });
      },
    },
  });
  vi.restoreAllMocks();
  try {
    printed.set(name, [...(printed.get(name) ?? []), JSON.parse(output)]);
  } catch (error) {
    throw new Error(`${name}: no JSON: ${output}`, { cause: error });
  }
}

async function fill(file: string): Promise<void> {
  const database = openSqliteDatabase(file);
  await migrate(database);
  const ids = await writeCategoriesAndAuthors(database);
  const articles = ['guides', 'sound'].map((category, n) =>
    article(n, { categoryId: ids.get(category) ?? 0 }),
  );
  await write(database, articles);
  const { query } = database;
  await query
    .$extendTables<{ messages: Record<string, unknown> }>()
    .insertInto('messages')
    .values({
      ...{ form: 'contact', locale: 'en', name: 'Ada', email: 'ada@example.org', subject: 'A question' },
      ...{
        fields: '{"message":"How?"}',
        made_at: 1,
        state: 'waiting',
        next_at: 1,
        sent_at: null,
      },
    })
    .execute();
  await createTallyStore(query, Date.now).add(
    [{ subject: 'exposure', total: 2 } as const, { subject: 'conversion', total: 1 } as const].map((sum) => ({
      ...sum,
      name: 'banner',
      detail: 'a',
      hour: unitOf('hour', Date.now()),
    })),
  );
  const seen = { condition: 'disk-full', subject: 'alpha', text: 'It is full.' };
  await query
    .$extendTables<{ alarms: Record<string, unknown> }>()
    .insertInto('alarms')
    .values({ ...seen, since: 1, seen_at: Date.now(), told_at: Date.now(), ended_at: null })
    .execute();
  await database.close();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-json-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const at = (name: string) => join(folder, name);
  // Nobody answers there, and no name is looked up.
  for (const [name, value] of [
    ...[
      ['DATA_DIR', data],
      ['DATABASE_URL', ''],
      ['SITE_ORIGIN', 'http://127.0.0.1:1'],
      ['HTTPS_PROXY', 'http://127.0.0.1:1'],
    ],
  ] as const)
    vi.stubEnv(name ?? '', value ?? '');
  await fill(join(data, 'clipferry.db'));

  const post = 'https://www.tiktok.com/@someone/video/7615133378163811813';
  await run('doctor', '--post', post);
  await run('canary', post);
  await run('canary', '--matrix');
  await run('posts list');
  await run('posts unpublish', 'article-0', 'none');
  await run('posts export', at('posts'));
  await run('posts publish', 'article-0');
  await run('posts import', at('posts'));
  mkdirSync(at('wrong/articles/one'), { recursive: true });
  writeFileSync(at('wrong/articles/one/en.md'), 'no front matter');
  for (const part of ['posts', 'categories', 'authors']) {
    await run(`${part} import`, at(part === 'posts' ? 'wrong' : 'posts'));
    if (part === 'posts') continue;
    await run(`${part} export`, at(part));
    await run(`${part} list`);
    await run(`${part} delete`, part === 'authors' ? 'desk' : 'phones');
  }
  await run('posts delete', 'article-0', 'none');
  await run('messages list');
  await run('messages show', '1');
  await run('messages delete', '1');
  await run('takedown add', post, '--reason', 'Court order');
  await run('takedown list');
  await run('takedown remove', post);
  await run('incident open', 'It is down');
  await run('incident list');
  await run('incident close', '1');
  await run('operator add', 'anna');
  await run('keys create', 'partner');
  await run('keys list');
  await run('keys revoke', 'partner');
  await run('alarms list');
  vi.stubEnv('ALARM_WEBHOOK_URL', 'http://127.0.0.1:1/');
  await run('alarms test');
  await run('push keys');
  const [{ publicKey, privateKey }] = printed.get('push keys') as [
    Record<'publicKey' | 'privateKey', string>,
  ];
  vi.stubEnv('VAPID_PUBLIC_KEY', publicKey);
  vi.stubEnv('VAPID_PRIVATE_KEY', privateKey);
  vi.stubEnv('VAPID_SUBJECT', 'mailto:push@example.org');
  await run('push send', '--title', 'New', '--body', 'A guide', '--dry-run');
  await run('push send', '--title', 'New', '--body', 'A guide');
  await run('push list');
  await run('statistics');
  await run('experiments');
  await run('site check', 'site.demo.json');
  vi.stubEnv('SITE_ORIGIN', 'https://my-own.site');
  cpSync('content/legal/about/en.md', at('site/legal/about/en.md'));
  writeFileSync(at('site/legal/nowhere.md'), '');
  vi.stubEnv('SITE_DIR', at('site'));
  await run('site check', 'site.demo.json');
  vi.stubEnv('SITE_DIR', undefined);
  await run('site pictures', 'site.demo.json');
  await run('backup', at('archive.tar'));
  vi.stubEnv('DATA_DIR', at('restored'));
  await run('restore', at('archive.tar'));
}, 120_000);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.each(names)('%s --json prints what docs/commands.md says', (name) => {
  const values = printed.get(name) ?? [];
  expect(values).not.toEqual([]);
  const shapes = formsOf(name).map(parseShape);
  expect(shapes).not.toEqual([]);
  // Each value has the form that it differs from the least.
  const groups = Map.groupBy(
    values,
    (value) =>
      shapes.toSorted(
        (one, other) => differences(one, [value]).length - differences(other, [value]).length,
      )[0],
  );
  // A row that refers to another one need not show all of its forms.
  const isOwn = !/^(?:as|one of) /.test(documented.get(name) ?? '');
  const wanted = shapes.filter((shape) => isOwn || groups.has(shape));
  expect(wanted.flatMap((shape) => differences(shape, groups.get(shape) ?? []))).toEqual([]);
  expect(groups.size).toBe(wanted.length);
});

test('a field that is missing, new, or was never seen is a difference', () => {
  const shape = parseShape('{ id, of?, rows: [{ name, note }] }');
  expect(differences(shape, [{ id: 1, rows: [{ name: 'a', note: null }] }])).toEqual([]);
  expect(differences(shape, [{ id: 1, of: 'x', rows: [{ name: 'a', way: 1 }] }])).toEqual([
    '.rows[].way is not documented',
    '.rows[].note is missing',
  ]);
  expect(differences(shape, [{ rows: [] }])).toEqual([
    '.id is missing',
    '.rows[].name was not seen',
    '.rows[].note was not seen',
  ]);
  expect(differences(shape, [[]])).toEqual([' is no object']);
  expect(() => parseShape('{ id')).toThrow();
});

/** The form of a JSON value, as `docs/commands.md` writes it: `{ name, of?, rows: [{ id }] }`. */
type Shape =
  | { readonly kind: 'value' }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Field> };

interface Field {
  readonly isOptional: boolean;
  readonly shape: Shape;
}

/** Reads a form. @throws Error when it is none */
function parseShape(text: string): Shape {
  const words = text.match(/[{}[\],:]|[\w?]+/g) ?? [];
  let at = 0;
  const take = (word: string) => {
    if (words[at] !== word) throw new Error(`"${text}" has no "${word}" at word ${at + 1}`);
    at += 1;
  };
  function object(): Shape {
    const fields = new Map<string, Field>();
    for (take('{'); words[at] !== '}'; ) {
      const name = words[at++] ?? '';
      let shape: Shape = { kind: 'value' };
      if (words[at] === ':') {
        at += 1;
        shape = value();
      }
      fields.set(name.replace('?', ''), { isOptional: name.endsWith('?'), shape });
      if (words[at] !== '}') take(',');
    }
    take('}');
    return { kind: 'object', fields };
  }
  function value(): Shape {
    if (words[at] === '{') return object();
    if (words[at] !== '[') {
      at += 1;
      return { kind: 'value' };
    }
    take('[');
    const of = value();
    take(']');
    return { kind: 'list', of };
  }
  const shape = value();
  if (at !== words.length) throw new Error(`"${text}" goes on after its end`);
  return shape;
}

/**
 * Compares values that a command printed with the form that is documented.
 * @returns one line for each field that is missing, that is not documented, or that no value has shown
 */
function differences(shape: Shape, values: readonly unknown[], place = ''): string[] {
  if (shape.kind === 'value') return [];
  if (shape.kind === 'list') {
    const wrong = values.filter((one) => !Array.isArray(one)).map(() => `${place} is no list`);
    return wrong.length > 0 ? wrong : differences(shape.of, values.flat(), `${place}[]`);
  }
  if (values.some((one) => typeof one !== 'object' || one === null || Array.isArray(one)))
    return [`${place} is no object`];
  const objects = values as readonly Record<string, unknown>[];
  const unknown = new Set(
    objects.flatMap((one) => Object.keys(one)).filter((name) => !shape.fields.has(name)),
  );
  const known = [...shape.fields].flatMap(([name, { isOptional, shape: inner }]) => {
    const having = objects.filter((one) => name in one);
    if (!isOptional && objects.length === 0) return [`${place}.${name} was not seen`];
    if (!isOptional && having.length < objects.length) return [`${place}.${name} is missing`];
    if (having.length === 0) return [];
    return differences(
      inner,
      having.map((one) => one[name]),
      `${place}.${name}`,
    );
  });
  return [...[...unknown].map((name) => `${place}.${name} is not documented`), ...known];
}
