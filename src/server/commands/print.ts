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
