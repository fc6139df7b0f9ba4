import { type CommandGroup, type Declaration, isGroup, spelled } from '../../server/commands/declaration.ts';

const isHelp = (word: string): boolean => word === '-h' || word === '--help';

/** Options of a group's commands whose value is the next word. */
function optionsWithValue({ commands }: CommandGroup): ReadonlySet<string> {
  return new Set(
    commands.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, { value }]) => (value === undefined ? [] : [spelled(name)])),
    ),
  );
}

/** Where the first word stands that is neither an option nor an option's value; -1 when there is none. */
function firstWord(words: readonly string[], group: CommandGroup): number {
  const withValue = optionsWithValue(group);
  return words.findIndex(
    (word, at) => !word.startsWith('-') && (at === 0 || !withValue.has(words[at - 1] ?? '')),
  );
}

/**
 * Brings the words of a call into the order that the parser reads: names first, and the usual command of a group
 * where none is named. Options may stand anywhere (`keys --json list`), and `help NAME` is `NAME --help`.
 */
export function orderWords(words: readonly string[], declarations: readonly Declaration[]): string[] {
  const [name, ...rest] = words;
  if (name === undefined) return ['--help'];
  if (name === 'help') return [...rest.filter((word) => !isHelp(word)), '--help'];
  const declaration = declarations.find((one) => one.name === name);
  if (declaration === undefined || !isGroup(declaration)) return [...words];
  if (rest[0] === 'help') return [name, ...rest.slice(1), '--help'];
  const at = firstWord(rest, declaration);
  if (at >= 0) return [name, ...rest.slice(at, at + 1), ...rest.slice(0, at), ...rest.slice(at + 1)];
  if (declaration.usual === undefined || rest.some(isHelp)) return [...words];
  return [name, declaration.usual, ...rest];
}
