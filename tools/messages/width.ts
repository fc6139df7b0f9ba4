import compile from 'icu-minify/compile';

/** Likely maximum length of a value, in columns; others count as {@link usualValue}. */
const values: Readonly<Record<string, number>> = {
  domain: 18,
  name: 15,
  category: 18,
  author: 15,
  title: 40,
};
const usualValue = 4;

const wide = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\u3000-\u303f\uff01-\uff60]$/u;
const none = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Columns that a text takes: Chinese, Japanese and Korean characters take two, combining marks none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += none.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}

/**
 * Maximum width of a message in columns: the longest of its plural forms, with values of likely length.
 * @throws SyntaxError of the parser when it is no ICU message
 */
export function messageColumns(message: string): number {
  // The compiled form: text, 0 for "#", [name], [name, type, options] or, for a tag, [name, ...children].
  const columns = (node: unknown): number => {
    if (typeof node === 'string') return columnsOf(node);
    if (!Array.isArray(node)) return usualValue;
    const [name, type, options] = node as [string, unknown, Readonly<Record<string, unknown>> | undefined];
    if (node.length > 1 && (typeof type !== 'number' || type === 0)) return all(node.slice(1));
    if (typeof options !== 'object') return values[name] ?? usualValue;
    return Math.max(
      ...Object.values(options).map((branch) => all(Array.isArray(branch) ? branch : [branch])),
    );
  };
  const all = (nodes: readonly unknown[]) => nodes.reduce<number>((sum, node) => sum + columns(node), 0);
  const compiled = compile(message);
  return typeof compiled === 'string' ? columnsOf(compiled) : all(compiled);
}
