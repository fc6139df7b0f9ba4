import { stdout } from 'node:process';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterEach, expect, test, vi } from 'vitest';
import { printRows, tableText } from './table.ts';

const columns = [{ name: 'name' }, { name: 'views', isNumber: true }, { name: 'title' }];

const { isTTY } = stdout;
afterEach(() => {
  stdout.isTTY = isTTY;
  vi.restoreAllMocks();
});

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
