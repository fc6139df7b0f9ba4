import { stderr, stdout } from 'node:process';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress, printRows, tableText, terminalJson, terminalText } from './print.ts';

const commanding = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const anything = fc.string({ unit: 'binary' });

test('JSON for a terminal has the same value, and contains no terminal commands', () => {
  fc.assert(
    fc.property(fc.jsonValue(), anything, fc.constantFrom(0, 2), (value, text, indent) => {
      const given = { value, text, csi: '\u009b31m', turned: '\u202e', tag: '\u{e0041}' };
      const printed = terminalJson(given, indent);
      expect(printed.replaceAll('\n', '')).not.toMatch(commanding);
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

test('text for a terminal keeps only its lines', () => {
  expect(terminalText('a\u009b31mb\nc\u001b[2J\r\u202ed')).toBe('a\ufffd31mb\nc\ufffd[2J\ufffd\ufffdd');
});

let written: string[];
const areTerminals = { stderr: stderr.isTTY, stdout: stdout.isTTY };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 1000 });
  written = [];
  vi.spyOn(stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  stderr.isTTY = areTerminals.stderr;
  stdout.isTTY = areTerminals.stdout;
});

test('on a terminal, shows a bar that grows visibly, and removes it at the end', () => {
  stderr.isTTY = true;
  vi.advanceTimersByTime(1000);
  const progress = createProgress();
  progress.show('notifications', 500, 2000);
  vi.advanceTimersByTime(50);
  progress.show('notifications', 600, 2000);
  vi.advanceTimersByTime(50);
  progress.show('notifications', 1000, 2000);
  progress.show('notifications', 2000, 2000);
  progress.end();
  const bar = (filled: number, done: number) =>
    `\r[${'#'.repeat(filled)}${' '.repeat(30 - filled)}] ${done}/2000 notifications\x1b[K`;
  expect(written).toEqual([bar(8, 500), bar(15, 1000), bar(30, 2000), '\r\x1b[K']);
});

test('writes nothing elsewhere', () => {
  stderr.isTTY = false;
  const progress = createProgress();
  progress.show('notifications', 2000, 2000);
  progress.end();
  expect(written).toEqual([]);
});

const columns = [{ name: 'name' }, { name: 'views', isNumber: true }, { name: 'title' }];

test('no line is wider than the terminal, whatever is in the cells', async () => {
  const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.integer());
  const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 24, max: 200 }), async (given, width) => {
      const lines = (await tableText(columns, given, width)).split('\n');
      expect(lines).toHaveLength(given.length + 1);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('the widest column shrinks, and numbers are right-aligned', async () => {
  const rows = [
    ['a', 1, '漢字漢字漢字漢字漢字漢字'],
    ['bcd', 1000, 'short'],
  ];
  expect(await tableText(columns, rows, 30)).toBe(
    ['name  views  title', 'a         1  漢字漢字漢字漢字…', 'bcd    1000  short'].join('\n'),
  );
  expect((await tableText(columns, rows)).split('\n')[1]).toBe('a         1  漢字漢字漢字漢字漢字漢字');
});

test('another program receives unchanged cells, without headings', async () => {
  stdout.isTTY = false;
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const alone = [{ name: 'id' }, { name: 'views', alone: (cell: string) => `${cell} views` }];
  await printRows(alone, [
    ['x', 1],
    [`${'long '.repeat(100)}`, 2],
  ]);
  expect(printed.mock.calls).toEqual([[`x  1 views\n${'long '.repeat(100).trim()}  2 views`]]);
});
