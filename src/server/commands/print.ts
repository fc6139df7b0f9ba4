import { stderr } from 'node:process';

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

const width = 30;
/** The numbers and the label beside it. */
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
      const room = Math.max(0, Math.min(width, columns - besideWidth));
      const filled = all === 0 ? room : Math.round((room * Math.min(done, all)) / all);
      const bar = `[${'#'.repeat(filled)}${' '.repeat(room - filled)}] ${done}/${all} ${label}`;
      stderr.write(`\r${bar.slice(0, columns - 1)}\x1b[K`);
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
