import {
  type CommandDeclaration,
  type Declaration,
  isGroup,
  type OptionDeclaration,
  spelled,
} from '../../../web/commands/declaration.ts';

/** A word that may be typed, and what it does. */
interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What may be typed after an option, or as an argument. */
export type Values = 'files' | 'folders' | 'anything' | readonly string[];

/** What may follow the names of a command. */
export interface Place {
  /** The names: none, `keys`, or `keys create`. */
  readonly path: string;
  readonly words: readonly Candidate[];
  /** What its arguments complete to. */
  readonly completes: 'files' | 'folders' | null;
  /** Options whose value is the next word. */
  readonly values: readonly { readonly option: string; readonly values: Values }[];
}

const everywhere: readonly Candidate[] = [
  { word: '--json', about: 'print the result as one JSON value' },
  { word: '--help', about: 'print what a command does and takes' },
];

const valuesOf = ({ choices, completes }: OptionDeclaration): Values => choices ?? completes ?? 'anything';

function commandPlace(declaration: CommandDeclaration, path: string): Place {
  const words = Object.values(declaration.arguments);
  const options = Object.entries(declaration.options).filter(([, { hidden }]) => hidden !== true);
  return {
    path,
    words: [
      ...words.flatMap(({ choices = [], about }) => choices.map((word) => ({ word, about }))),
      ...options.map(([name, { about }]) => ({ word: spelled(name), about })),
      ...everywhere,
    ],
    completes: words.find(({ completes }) => completes !== undefined)?.completes ?? null,
    values: options.flatMap(([name, option]) =>
      option.value === undefined ? [] : [{ option: spelled(name), values: valuesOf(option) }],
    ),
  };
}

const named = (declarations: readonly Pick<Declaration, 'name' | 'about'>[]): Candidate[] =>
  declarations.map(({ name, about }) => ({ word: name, about }));

/** Every place of the command line, the outermost first. */
export function placesOf(declarations: readonly Declaration[]): Place[] {
  const outermost: Place = {
    path: '',
    words: [
      ...named(declarations),
      { word: 'help', about: 'print what a command does and takes' },
      { word: '--version', about: 'print the version' },
      { word: '--help', about: 'print all commands' },
    ],
    completes: null,
    values: [],
  };
  const inner = declarations.flatMap((declaration) => {
    const { name } = declaration;
    if (!isGroup(declaration)) return [commandPlace(declaration, name)];
    const usual = declaration.commands.find((one) => one.name === declaration.usual);
    const ofUsual = usual === undefined ? null : commandPlace(usual, name);
    return [
      {
        path: name,
        words: [...named(declaration.commands), ...(ofUsual?.words ?? everywhere.slice(1))],
        completes: null,
        values: ofUsual?.values ?? [],
      },
      ...declaration.commands.map((one) => commandPlace(one, `${name} ${one.name}`)),
    ];
  });
  return [outermost, ...inner];
}
