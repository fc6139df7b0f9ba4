import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { article, write, writeCategoriesAndAuthors } from '../../content/testing/content.ts';
import { openSqliteDatabase } from '../../stores/embedded/sqlite-database.ts';
import { migrate } from '../../stores/migrate.ts';
import { readConfigurationFile } from '../parts/read-site-configuration.ts';
import { commands } from './commands.ts';
import { runProgram } from './program.ts';

let folder: string;
let output: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-json-'));
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('DATABASE_URL', '');
  output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  vi.spyOn(console, 'log').mockImplementation((text) => {
    output += `${text}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const run = (line: string) =>
  runProgram(line.split(' '), commands, {
    name: 'clipferry',
    version: '1.2.3',
    tools: {
      readConfiguration: async (file) => readConfigurationFile(file),
      openPlatform: () => expect.unreachable(),
    },
  });

test('a list of more articles than one read returns is one array, with an article on each line', async () => {
  const count = 1001;
  const database = openSqliteDatabase(join(folder, 'clipferry.db'));
  await migrate(database);
  const ids = await writeCategoriesAndAuthors(database);
  const one = (n: number) =>
    article(n, { categoryId: ids.get('guides') ?? 0, locale: n === 0 ? 'de' : 'en' });
  await write(
    database,
    Array.from({ length: count + 1 }, (_, n) => one(n)),
  );
  await database.close();
  expect(await run('posts list --locale en --json')).toBe(0);
  const lines = output.trim().split('\n');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([count + 2, '[', ']']);
  const articles = JSON.parse(output) as object[];
  expect(articles).toHaveLength(count);
  expect(articles[0]).toMatchObject({ key: 'article-1', locale: 'en', views: 0 });
});
