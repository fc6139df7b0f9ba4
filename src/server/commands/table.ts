import { stdout } from 'node:process';
import { terminalText } from './print.ts';

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** Numbers stand to the right. */
  readonly isNumber?: boolean;
  /** The cell where there are no names of columns: `12 views`. */
  readonly alone?: (cell: string) => string;
}

const gap = '  ';
/** Least width of a column, however narrow the terminal is. */
const leastWidth = 6;

type Measure = (text: string) => number;

const cellText = (cell: unknown): string =>
  terminalText(String(cell ?? ''))
    .replace(/\s+/g, ' ')
    .trim();

/** Takes from the widest columns until the line fits. */
function narrowed(widths: readonly number[], columns: number): number[] {
  const fitted = [...widths];
  const whole = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
  for (let over = whole - columns; over > 0; over--) {
    const widest = Math.max(...fitted);
    if (widest <= leastWidth) break;
    fitted[fitted.indexOf(widest)] = widest - 1;
  }
  return fitted;
}

/** Cuts a text to a width, between signs as readers see them. */
function cut(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (measure(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Rows below the names of their columns, each column as wide as its widest cell. */
function aligned(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  measure: Measure,
): string {
  const padded = (text: string, at: number): string => {
    const cell = cut(text, widths[at] ?? 0, measure);
    const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - measure(cell)));
    return columns[at]?.isNumber ? space + cell : cell + space;
  };
  return rows.map((row) => row.map(padded).join(gap).trimEnd()).join('\n');
}

/**
 * A table with the names of its columns.
 * @param columnsWide how wide the terminal is; unlimited where there is none
 */
export async function tableText(
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  columnsWide = Number.POSITIVE_INFINITY,
): Promise<string> {
  // Imported only here: most calls print no table.
  const { default: measure } = await import('string-width');
  const texts = [columns.map(({ name }) => name), ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, at) => Math.max(...texts.map((row) => measure(row[at] ?? ''))));
  return aligned(columns, texts, narrowed(widths, columnsWide), measure);
}

/** How many columns the terminal has; unlimited where standard output is none. */
export const terminalColumns = (): number => (stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY);

/**
 * Prints rows: on a terminal a table that fits it, elsewhere a line for each row with its cells as they are and two
 * spaces between them, for other programs.
 */
export async function printRows(
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length === 0) return;
  if (stdout.isTTY) console.log(await tableText(columns, rows, terminalColumns()));
  else {
    const alone = (row: readonly unknown[]) =>
      row.map((cell, at) => {
        const text = cellText(cell);
        return columns[at]?.alone?.(text) ?? text;
      });
    console.log(rows.map((row) => alone(row).join(gap).trimEnd()).join('\n'));
  }
}
