import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  type ArgumentDeclaration,
  type CommandDeclaration,
  type CommandTools,
  type Declaration,
  isGroup,
  type OptionDeclaration,
  spelled,
  UsageError,
} from '../../server/commands/declaration.ts';
import { printError, terminalText } from '../../server/commands/print.ts';
import { asTyped } from '../../server/http/plain-text.ts';

const isHelp = (word: string): boolean => word === '-h' || word === '--help';

/**
 * The words of a call as the parser reads them: the usual command of a group where none is named, and `help NAME` is
 * `NAME --help`.
 */
export function completeWords(words: readonly string[], declarations: readonly Declaration[]): string[] {
  const [name = 'help', ...rest] = words;
  if (name === 'help') return [...rest.filter((word) => !isHelp(word)), '--help'];
  const group = declarations.filter(isGroup).find((one) => one.name === name);
  const [next = '-'] = rest;
  const isNamed = !next.startsWith('-') || isHelp(next);
  return group?.usual === undefined || isNamed ? [...words] : [name, group.usual, ...rest];
}

/** The program's name, and the values for its commands. */
export interface ProgramSettings {
  /** As operators write it: `npm run cli --`. */
  readonly name: string;
  readonly version: string;
  readonly tools: CommandTools;
}

/** The parser's treatment of a value. */
function reader({ read, choices }: ArgumentDeclaration | OptionDeclaration): (text: string) => unknown {
  return (text) => {
    if (text !== asTyped(text)) throw new InvalidArgumentError('It holds a control character.');
    if (choices !== undefined && !choices.includes(text))
      throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
    try {
      return read?.(text) ?? text;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new InvalidArgumentError(error.message);
    }
  };
}

const withChoices = ({ about, choices }: ArgumentDeclaration | OptionDeclaration): string =>
  choices === undefined ? about : `${about}: ${choices.join(', ')}`;

/** The line of a list as a sentence: `List all keys.` */
const sentence = (about: string): string => `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`;

function toArgument(name: string, declaration: ArgumentDeclaration): Argument {
  const { optional = false, several = false } = declaration;
  const word = `${name}${several ? '...' : ''}`;
  const read = reader(declaration);
  return new Argument(optional ? `[${word}]` : `<${word}>`, withChoices(declaration)).argParser<unknown>(
    (text, before) => (several ? [...(Array.isArray(before) ? before : []), read(text)] : read(text)),
  );
}

function toOption(name: string, declaration: OptionDeclaration): Option {
  const { value, default: usual } = declaration;
  const flag = value === undefined ? spelled(name) : `${spelled(name)} <${value}>`;
  const option = new Option(flag, withChoices(declaration));
  if (value === undefined) return option;
  const read = reader(declaration);
  option.argParser(read);
  return usual === undefined ? option : option.default(read(usual), usual);
}

/** @param finish told of the exit code */
function addCommand(
  parent: Command,
  { name, about, details, arguments: words, options, load }: CommandDeclaration,
  tools: CommandTools,
  finish: (code: number) => void,
): void {
  const made = parent.command(name).summary(about);
  made.description(details === undefined ? sentence(about) : `${sentence(about)}\n\n${details}`);
  const names = Object.keys(words);
  for (const word of names) made.addArgument(toArgument(word, words[word] as ArgumentDeclaration));
  for (const [option, declaration] of Object.entries(options)) made.addOption(toOption(option, declaration));
  made.option('--json', 'print the result as one JSON value');
  made.showHelpAfterError(`Usage: ${made.createHelp().commandUsage(made)}`);
  made.action(async (...given: unknown[]) => {
    const flags = ['json', ...Object.keys(options).filter((option) => options[option]?.value === undefined)];
    const values = {
      ...Object.fromEntries(flags.map((flag) => [flag, false])),
      ...made.opts<Record<string, unknown>>(),
      ...Object.fromEntries(names.map((word, at) => [word, given[at] ?? absent(words[word])])),
    };
    const run = await load();
    try {
      finish(await run(values as never, tools));
    } catch (error) {
      if (error instanceof UsageError) made.error(`error: ${error.message}`, { exitCode: 2 });
      throw error;
    }
  });
}

/** The value of an argument that was not given. */
const absent = (declaration: ArgumentDeclaration | undefined) => (declaration?.several ? [] : undefined);

/** An argument as a list of commands has it: `[name...]`. */
function termOf(word: Argument): string {
  const name = `${word.name()}${word.variadic ? '...' : ''}`;
  return word.required ? `<${name}>` : `[${name}]`;
}

/** Every command as the parser knows it. */
function createProgram(
  declarations: readonly Declaration[],
  { name, version, tools }: ProgramSettings,
  finish: (code: number) => void,
): Command {
  const program = new Command(name)
    .description('Operate the site.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp({
      subcommandTerm: (one) => [one.name(), ...one.registeredArguments.map((word) => termOf(word))].join(' '),
    })
    .configureOutput({ outputError: (text, write) => write(terminalText(text)) })
    .showHelpAfterError(`Usage: ${name} COMMAND, and ${name} help for all commands`)
    .addHelpText(
      'after',
      `\nEvery command takes --json and --help. Exit codes: 0 success, 1 failure, 2 wrong usage.`,
    );
  for (const declaration of declarations) {
    if (!isGroup(declaration)) {
      addCommand(program, declaration, tools, finish);
      continue;
    }
    const { name: word, about, usual, commands } = declaration;
    const group = program
      .command(word)
      .summary(about)
      .usage(commands.map((one) => one.name).join(' | '));
    group.description(
      usual === undefined ? sentence(about) : `${sentence(about)} Default command: ${usual}.`,
    );
    group
      .helpCommand(false)
      .showHelpAfterError(`Usage: ${name} ${word} ${commands.map((one) => one.name).join(' | ')}`);
    for (const one of commands) addCommand(group, one, tools, finish);
  }
  return program;
}

/**
 * Runs a command.
 * @param words what follows the program's name
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export async function runProgram(
  words: readonly string[],
  declarations: readonly Declaration[],
  settings: ProgramSettings,
): Promise<number> {
  let code = 0;
  const program = createProgram(declarations, settings, (given) => {
    code = given;
  });
  try {
    await program.parseAsync(completeWords(words, declarations), { from: 'user' });
    return code;
  } catch (error) {
    // Help and version end with 0; what else the parser says is a wrong call, and it has printed it.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(error instanceof Error ? error.message : String(error));
    return 1;
  }
}
