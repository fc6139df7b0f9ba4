import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  command,
  type Declaration,
  isGroup,
  UsageError,
  wholeNumber,
} from '../../server/commands/declaration.ts';
import { commands } from './commands.ts';
import { type ProgramSettings, runProgram } from './program.ts';

const settings: ProgramSettings = {
  name: 'clipferry',
  version: '1.2.3',
  tools: {
    readConfiguration: () => expect.unreachable(),
    openPlatform: () => expect.unreachable(),
  },
};

let output: string;
let errors: string;
beforeEach(() => {
  output = '';
  errors = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += String(text);
    return true;
  });
  vi.spyOn(console, 'error').mockImplementation((text) => {
    errors += `${text}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const run = (line: string, declarations: readonly Declaration[] = commands) =>
  runProgram(line.split(' ').filter(Boolean), declarations, settings);

const paths = commands.flatMap((one) =>
  isGroup(one) ? [one.name, ...one.commands.map(({ name }) => `${one.name} ${name}`)] : [one.name],
);

test.each(paths)('%s has help', async (path) => {
  for (const line of [`${path} --help`, `${path} -h`, `help ${path}`]) {
    output = '';
    expect(await run(line)).toBe(0);
    expect(output).toMatch(new RegExp(`^Usage: clipferry ${path}\\b`));
  }
  expect(errors).toBe('');
});

test.each(commands.flatMap((one) => (isGroup(one) ? one.commands : [one])))(
  '$name does something',
  async (one) => {
    expect(await one.load()).toBeTypeOf('function');
  },
);

test.each(['', '--help', '-h', 'help'])('"%s" lists every command on standard output', async (line) => {
  expect(await run(line)).toBe(0);
  for (const { name } of commands) expect(output).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  expect(errors).toBe('');
});

test('--version', async () => {
  expect(await run('--version')).toBe(0);
  expect(output).toBe('1.2.3\n');
});

test.each([
  ['kyes', "unknown command 'kyes'", 'Did you mean keys?'],
  ['keys crate', "unknown command 'crate'", 'Did you mean create?'],
  ['keys list --jsn', "unknown option '--jsn'", 'Did you mean --json?'],
  ['keys create', "missing required argument 'name'", 'Usage: clipferry keys create'],
  ['keys create a b', 'too many arguments', 'Usage: clipferry keys create'],
  ['keys create a --times 0', '"0" is no whole number from 1 to 1000', 'Usage: clipferry keys create'],
  ['keys create a --times', 'argument missing', 'Usage: clipferry keys create'],
  ['statistics dys', 'one of days, pages', 'Usage: clipferry statistics'],
  ['posts', '', 'Usage: clipferry posts import | export'],
  ['messages delete', 'needs ID or --email', 'Usage: clipferry messages delete'],
  [
    'messages show abc',
    '"abc" must be a number or a reference such as K7Q-F2M',
    'Usage: clipferry messages show',
  ],
  ['messages show 0', '"0" is no whole number from 1 on', 'Usage: clipferry messages show'],
])('"%s" is a usage error: nothing on standard output, and exit code 2', async (line, problem, more) => {
  expect(await run(line)).toBe(2);
  expect(output).toBe('');
  expect(errors).toContain(problem);
  expect(errors).toContain(more);
});

test('typed text sends no commands to the terminal', async () => {
  expect(await run('k\u001b[2Jeys')).toBe(2);
  expect(errors).not.toMatch(/[^\P{Cc}\n]/u);
});

describe('a command', () => {
  const given: unknown[] = [];
  const declared = command({
    name: 'try',
    about: 'for tests',
    arguments: {
      first: { about: 'one' },
      others: { about: 'more', optional: true, several: true, read: wholeNumber(1) },
    },
    options: {
      dryRun: { about: 'a flag' },
      times: { value: 'N', about: 'a number', default: '10', read: wholeNumber(1) },
      name: { value: 'TEXT', about: 'a text' },
    },
    load: async () => async (all) => {
      given.push(all);
      if (all.first === 'usage') throw new UsageError('wrongly called');
      if (all.first === 'failure') throw new Error('it failed');
      return all.first === 'one' ? 1 : 0;
    },
  });
  const tryOut = (line: string) => run(line, [declared]);
  beforeEach(() => {
    given.length = 0;
  });

  test('receives its words, converted', async () => {
    expect(await tryOut('try --dry-run a 1 2 --name -x --times=3 --json')).toBe(0);
    expect(given).toEqual([{ first: 'a', others: [1, 2], dryRun: true, times: 3, name: '-x', json: true }]);
  });

  test('receives defaults', async () => {
    expect(await tryOut('try a')).toBe(0);
    expect(given).toEqual([{ first: 'a', others: [], dryRun: false, times: 10, json: false }]);
  });

  test('decides the exit code', async () => {
    expect(await tryOut('try one')).toBe(1);
    expect(await tryOut('try failure')).toBe(1);
    expect(errors).toBe('it failed\n');
    expect(await tryOut('try usage')).toBe(2);
    expect(errors).toContain('wrongly called');
    expect(errors).toContain('Usage: clipferry try');
  });
});

test.each(['a\0b', 'a\u001b[31mb', 'a\u0085b'])('refuses %j in the words of every command', async (word) => {
  for (const line of [`incident open ${word}`, `messages delete ${word}`, `push send --title ${word}`]) {
    errors = '';
    expect(await run(line)).toBe(2);
    expect(errors).toContain('control character');
  }
});
