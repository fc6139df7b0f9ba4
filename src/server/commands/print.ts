import { stderr, stdout } from 'node:process';

/** Signs that command a terminal, or that it hides or turns around, beside those that JSON escapes by itself. */
const commanding = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * A value as JSON that is safe to look at: visitors and authors wrote what is in it.
 * @param indent spaces for each level; 0 for one line
 */
export function terminalJson(value: unknown, indent = 0): string {
  const escaped = (sign: string) =>
    sign === '\n'
      ? sign
      : Array.from(
          { length: sign.length },
          (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join('');
  return JSON.stringify(value, null, indent).replace(commanding, escaped);
}

/** Text for a terminal: what could command it is replaced, line breaks stay. */
export function terminalText(text: string): string {
  return text.replace(commanding, (sign) => (sign === '\n' ? sign : '\ufffd'));
}

/** Prints a value for machines. */
export function printJson(value: unknown): void {
  console.log(terminalJson(value, 2));
}

/** Prints lines for people. */
export function printText(text: string): void {
  console.log(terminalText(text));
}

/** Prints what went wrong. */
export function printError(text: string): void {
  console.error(terminalText(text));
}

/** Signs of a whole bar. */
const barWidth = 30;
/** The numbers and the label beside the bar. */
const besideWidth = 40;
/** A bar that moves visibly. */
const everyMs = 100;

/** A progress bar on the terminal; nothing when standard error is no terminal. */
export function createProgress(): { show(label: string, done: number, all: number): void; end(): void } {
  let shownAt = 0;
  return {
    show(label, done, all) {
      const now = performance.now();
      if (!stderr.isTTY || (done < all && now - shownAt < everyMs)) return;
      shownAt = now;
      // A line that wraps could not be overwritten.
      const columns = stderr.columns || 80;
      const room = Math.max(0, Math.min(barWidth, columns - besideWidth));
      const filled = all === 0 ? room : Math.round((room * Math.min(done, all)) / all);
      const bar = `[${'#'.repeat(filled)}${' '.repeat(room - filled)}] ${done}/${all} ${label}`;
      stderr.write(`\r${bar.slice(0, columns - 1)}\x1b[K`);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}

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
